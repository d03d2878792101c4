#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/gpu/device.h"
#include "belfry/groth16/prove/backend.h"

namespace belfry::groth16 {

/// The CUDA devices that this process may use. kNotFound without one, with the reason.
[[nodiscard]] Result<std::vector<gpu::DeviceInfo>> cuda_devices();

/// Of a device's free bytes, those that a budget may ask for: the driver keeps 1 GiB, because
/// stacks of kernels and code grow when they are first launched.
[[nodiscard]] constexpr std::uint64_t usable_device_bytes(std::uint64_t free_bytes) noexcept {
  constexpr std::uint64_t kDriverBytes = std::uint64_t{1} << 30;
  return free_bytes < kDriverBytes ? 0 : free_bytes - kDriverBytes;
}

struct CudaOptions {
  int ordinal = 0;                      ///< of the device, among those that the process sees
  std::uint64_t vram_budget_bytes = 0;  ///< 0: usable_device_bytes of what is free
  unsigned h_copies = 1;                ///< DeviceProverOptions::h_copies
  std::filesystem::path cache_dir{};    ///< where derived parameters may lie, beside the file's own
                                        ///< folder
};

/// The backend on one CUDA device. Loading parameters takes what the plan says, in one allocation
/// that is kept until the backend dies or a plan needs more; nothing is allocated on the way of a
/// proof. The parameters of the last batch stay in that memory, so a batch with the same file
/// begins at once.
///
/// @return kNotFound without a usable device (or in a build without CUDA, which it says);
///         kResourceExhausted, with needed and free bytes, if the card has not what is asked for
///
/// A file with derived parameters (derived_file.h) is proved with four transforms, else with six,
/// which is a warning and a count of `belfry_derived_missing_total` a partition. Points that do not
/// fit the device come in tiles from the mapped file (Residency), which is logged and counted a
/// partition (`belfry_streamed_proofs_total`).
///
/// Plans count device memory within the budget and host memory within their own argument; a batch
/// that does not fit is kResourceExhausted with needed and allowed bytes. `plan` asks whether it
/// fits with derived parameters, `plan_with` whether with what the heads of files promise; `run`
/// says so if a promised file is damaged and it does not fit without. `run` may also answer
/// kDeviceLost: the process needs a new context then. Thread-safe: batches run one after the other.
/// The executor outlives it.
[[nodiscard]] Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options,
                                                                 const Executor& executor);

}  // namespace belfry::groth16
