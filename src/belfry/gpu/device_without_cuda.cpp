#include "belfry/gpu/device.h"

namespace belfry::gpu {
namespace {

Error no_cuda() {
  return Error{ErrorCode::kNotFound, "gpu.device", "this build has no CUDA backend"};
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices() { return fail(no_cuda()); }

Result<DeviceInfo> open_device(int /*ordinal*/) { return fail(no_cuda()); }

Result<void> use_device(int /*ordinal*/) { return fail(no_cuda()); }

}  // namespace belfry::gpu
