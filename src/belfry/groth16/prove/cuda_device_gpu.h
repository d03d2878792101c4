#pragma once

#include <cstdint>
#include <string>

#include "belfry/base/error.h"
#include "belfry/gpu/device.h"
#include "belfry/groth16/prove/cuda_backend.h"

namespace belfry::groth16 {

/// A device, and how much memory this process may take of it.
struct CudaDevice {
  gpu::DeviceInfo info;
  std::uint64_t budget_bytes = 0;

  /// "NVIDIA H200, 132 multiprocessors, GPU-...".
  [[nodiscard]] std::string describe() const;
};

/// Finds the chosen device and makes it that of the calling thread. Errors of make_cuda_backend.
[[nodiscard]] Result<CudaDevice> open_cuda_device(const CudaOptions& options);

}  // namespace belfry::groth16
