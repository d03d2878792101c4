#include "belfry/gpu/device.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <utility>

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

/// Fills `info` with what is known of its device, which becomes that of this thread.
void describe(DeviceInfo& info) {
  cudaDeviceProp properties{};
  BELFRY_CUDA_TRY(cudaGetDeviceProperties(&properties, info.ordinal), "gpu.device");
  info.name = properties.name;
  info.uuid = uuid_text(properties.uuid);
  info.multiprocessors = static_cast<unsigned>(properties.multiProcessorCount);
  info.compute_major = static_cast<unsigned>(properties.major);
  info.compute_minor = static_cast<unsigned>(properties.minor);
  BELFRY_CUDA_TRY(cudaSetDevice(info.ordinal), "gpu.device");
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  BELFRY_CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), "gpu.device");
  info.free_bytes = free_bytes;
  info.total_bytes = total_bytes;
}

/// Whether this machine has an NVIDIA driver, of whatever version.
bool has_driver() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version != 0;
}

/// How many devices this process may use: at least one.
Result<int> count_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  (void)cudaGetLastError();
  // Where somebody installed a driver a card is expected: it may be too old for this build, or
  // the card may have left the bus.
  return fail(has_driver() ? ErrorCode::kBackendFailed : ErrorCode::kNotFound, "gpu.device",
              std::string("no usable CUDA device: ") +
                  (status == cudaSuccess ? "none present" : cudaGetErrorString(status)));
}

/// The thread's device again after other ones were asked. A card that can not be chosen is in the
/// list with its failure, which nothing has to say twice.
void choose_again(int ordinal) {
  if (cudaSetDevice(ordinal) != cudaSuccess) (void)cudaGetLastError();
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices() {
  BELFRY_TRY(const int count, count_devices());
  return run_stage([count]() -> Result<std::vector<DeviceInfo>> {
    int chosen = 0;
    BELFRY_CUDA_TRY(cudaGetDevice(&chosen), "gpu.device");
    std::vector<DeviceInfo> devices;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      DeviceInfo info{.ordinal = ordinal};
      const auto described = run_stage([&info]() -> Result<void> {
        describe(info);
        return {};
      });
      if (!described) info.failure = described.error();
      devices.push_back(std::move(info));
    }
    if (count > 1) choose_again(chosen);
    return devices;
  });
}

Result<DeviceInfo> open_device(int ordinal) {
  BELFRY_TRY(const int count, count_devices());
  if (ordinal < 0 || ordinal >= count) {
    return fail(Error{ErrorCode::kNotFound, "gpu.device", "no such device"}.but(
        "0 to " + std::to_string(count - 1), std::to_string(ordinal)));
  }
  return run_stage([ordinal]() -> Result<DeviceInfo> {
    DeviceInfo info{.ordinal = ordinal};
    describe(info);
    return info;
  });
}

Result<void> use_device(int ordinal) {
  return run_stage([ordinal]() -> Result<void> {
    BELFRY_CUDA_TRY(cudaSetDevice(ordinal), "gpu.device");
    return {};
  });
}

}  // namespace belfry::gpu
