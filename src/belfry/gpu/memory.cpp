#include "belfry/gpu/memory.h"

#include <string>

namespace belfry::gpu {

Result<DeviceMemory> DeviceMemory::allocate(std::uint64_t bytes) {
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, bytes);
  if (status == cudaSuccess) return DeviceMemory(static_cast<std::byte*>(data), bytes);
  (void)cudaGetLastError();
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) (void)cudaGetLastError();
  Error error = CudaError(status, "gpu.memory", "cudaMalloc").to_error();
  return fail(std::move(error).but("at most " + std::to_string(free_bytes) + " free bytes",
                                   std::to_string(bytes) + " bytes"));
}

DeviceMemory::~DeviceMemory() {
  if (data_ != nullptr) (void)cudaFree(data_);
}

}  // namespace belfry::gpu
