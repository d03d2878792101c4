#include "belfry/groth16/prove/cuda_device_gpu.h"

#include <cstddef>
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
  BELFRY_TRY(const auto devices, gpu::list_devices());
  if (options.ordinal < 0 || static_cast<std::size_t>(options.ordinal) >= devices.size()) {
    return fail(Error{ErrorCode::kNotFound, std::string(kStage), "no such device"}.but(
        "0 to " + std::to_string(devices.size() - 1), std::to_string(options.ordinal)));
  }
  const gpu::DeviceInfo& device = devices[static_cast<std::size_t>(options.ordinal)];
  BELFRY_CHECK(gpu::use_device(device.ordinal));
  BELFRY_TRY(const std::uint64_t bytes, memory_of(device, options));
  return CudaDevice{device, bytes};
}

}  // namespace belfry::groth16
