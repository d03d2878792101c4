#include "belfry/gpu/device.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

#include "belfry/base/bytes.h"
#include "belfry/gpu/cuda_check.h"

namespace belfry::gpu {
namespace {

// The text form that nvidia-smi prints: groups of 4, 2, 2, 2 and 6 bytes.
std::string uuid_text(const cudaUUID_t& uuid) {
  constexpr std::array<std::size_t, 5> kGroups{4, 2, 2, 2, 6};
  std::string text = "GPU";
  std::size_t next = 0;
  for (const std::size_t group : kGroups) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(uuid.bytes) + next;
    text += "-" + to_hex({bytes, group});
    next += group;
  }
  return text;
}

DeviceInfo describe(int ordinal) {
  cudaDeviceProp properties{};
  BELFRY_CUDA_TRY(cudaGetDeviceProperties(&properties, ordinal), "gpu.device");
  DeviceInfo info;
  info.ordinal = ordinal;
  info.name = properties.name;
  info.uuid = uuid_text(properties.uuid);
  info.multiprocessors = static_cast<unsigned>(properties.multiProcessorCount);
  info.compute_major = static_cast<unsigned>(properties.major);
  info.compute_minor = static_cast<unsigned>(properties.minor);
  BELFRY_CUDA_TRY(cudaSetDevice(ordinal), "gpu.device");
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  BELFRY_CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), "gpu.device");
  info.free_bytes = free_bytes;
  info.total_bytes = total_bytes;
  return info;
}

/// Whether this machine has an NVIDIA driver, of whatever version.
bool has_driver() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version != 0;
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    // Where somebody installed a driver a card is expected: it may be too old for this build, or
    // the card may have left the bus.
    return fail(has_driver() ? ErrorCode::kBackendFailed : ErrorCode::kNotFound, "gpu.device",
                std::string("no usable CUDA device: ") +
                    (status == cudaSuccess ? "none present" : cudaGetErrorString(status)));
  }
  return run_stage([count]() -> Result<std::vector<DeviceInfo>> {
    std::vector<DeviceInfo> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) devices.push_back(describe(ordinal));
    return devices;
  });
}

Result<void> use_device(int ordinal) {
  return run_stage([ordinal]() -> Result<void> {
    BELFRY_CUDA_TRY(cudaSetDevice(ordinal), "gpu.device");
    return {};
  });
}

}  // namespace belfry::gpu
