#include "belfry/gpu/free_bytes.h"

#include <cuda_runtime_api.h>

#include <cstddef>

#include "belfry/gpu/cuda_check.h"

namespace belfry::gpu {

std::uint64_t free_device_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  BELFRY_CUDA_TRY(cudaMemGetInfo(&free_bytes, &total_bytes), "gpu.device");
  return free_bytes;
}

}  // namespace belfry::gpu
