#include "belfry/gpu/cuda_check.h"

namespace belfry::gpu {
namespace {

// Codes that CUDA 13 has and older toolkits may not; a newer driver answers them all the same.
constexpr int kErrorContained = 226;
constexpr int kErrorTensorMemoryLeak = 721;
constexpr int kErrorMpsClientTerminated = 810;
constexpr int kErrorExternalDevice = 911;

}  // namespace

// Every code of which driver_types.h says that the process must be terminated and relaunched, and
// those of hardware and contexts that no later call survives either.
bool CudaError::is_fatal() const noexcept {
  switch (static_cast<int>(code_)) {
    case kErrorContained:
    case kErrorTensorMemoryLeak:
    case kErrorMpsClientTerminated:
    case kErrorExternalDevice:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorMpsConnectionFailed:
    case cudaErrorContextIsDestroyed:
    case cudaErrorDevicesUnavailable:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

Error CudaError::to_error() const {
  ErrorCode kind = ErrorCode::kBackendFailed;
  if (is_fatal()) kind = ErrorCode::kDeviceLost;
  if (code_ == cudaErrorMemoryAllocation) kind = ErrorCode::kResourceExhausted;
  return Error{kind, stage_, what()};
}

}  // namespace belfry::gpu
