#include "belfry/gpu/cuda_check.h"
#include "belfry/groth16/prove/rows_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr unsigned kThreads = 256;

__global__ void multiply_kernel(const Fr* a, const Fr* b, gpu::DeviceSpan<Fr> out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < out.size()) out[i] = a[i] * b[i];
}

}  // namespace

void multiply_rows_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<const Fr> b,
                         gpu::DeviceSpan<Fr> out, gpu::StreamRef stream) {
  const auto blocks = static_cast<unsigned>((out.size() + kThreads - 1) / kThreads);
  multiply_kernel<<<blocks, kThreads, 0, stream.handle()>>>(a.data(), b.data(), out);
  BELFRY_CUDA_CHECK_LAUNCH("groth16.multiply_rows");
}

}  // namespace belfry::groth16
