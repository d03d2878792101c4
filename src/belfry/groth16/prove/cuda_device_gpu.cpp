#include "belfry/groth16/prove/cuda_device_gpu.h"

#include <string>
#include <string_view>

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.cuda";

Result<std::uint64_t> memory_of(const gpu::DeviceInfo& device, const CudaOptions& options) {
  const std::uint64_t usable = usable_device_bytes(device.free_bytes);
  if (options.vram_budget_bytes == 0) return usable;
  if (options.vram_budget_bytes <= usable) return options.vram_budget_bytes;
  return fail(Error{ErrorCode::kResourceExhausted, std::string(kStage),
                    "the card has less free memory than the budget"}
                  .but(std::to_string(options.vram_budget_bytes) + " bytes",
                       std::to_string(usable) + " bytes beside the driver's")
                  .with_hint("Lower --vram-budget, or end what else uses the card"));
}

}  // namespace

std::string CudaDevice::describe() const {
  return info.name + ", " + std::to_string(info.multiprocessors) + " multiprocessors, " + info.uuid;
}

Result<std::vector<gpu::DeviceInfo>> cuda_devices() { return gpu::list_devices(); }

Result<CudaDevice> open_cuda_device(const CudaOptions& options) {
  BELFRY_TRY(const gpu::DeviceInfo device, gpu::open_device(options.ordinal));
  BELFRY_TRY(const std::uint64_t bytes, memory_of(device, options));
  return CudaDevice{device, bytes};
}

}  // namespace belfry::groth16
