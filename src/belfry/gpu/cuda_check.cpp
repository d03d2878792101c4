#include "belfry/gpu/cuda_check.h"

namespace belfry::gpu {

bool CudaError::is_fatal() const noexcept {
  switch (code_) {
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
