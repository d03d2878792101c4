#include "belfry/gpu/cuda_check.h"
#include "belfry/groth16/prove/rows_gpu.h"
#include "belfry/ntt/tree_values.h"

namespace belfry::groth16 {
namespace {

constexpr unsigned kThreads = 256;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

__device__ std::uint64_t worker_index() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__global__ void multiply_kernel(const Fr* a, const Fr* b, gpu::DeviceSpan<Fr> out) {
  const std::uint64_t i = worker_index();
  if (i < out.size()) {
    ntt::core::store_element(out.data() + i,
                             ntt::core::load_element(a + i) * ntt::core::load_element(b + i));
  }
}

__global__ void add_kernel(const Fr* a, gpu::DeviceSpan<Fr> sum) {
  const std::uint64_t i = worker_index();
  if (i < sum.size()) {
    ntt::core::store_element(
        sum.data() + i, ntt::core::load_element(sum.data() + i) + ntt::core::load_element(a + i));
  }
}

__global__ void scale_kernel(gpu::DeviceSpan<Fr> data) {
  const std::uint64_t i = worker_index();
  if (i < data.size()) {
    const Fr x = ntt::core::load_element(data.data() + i);
    ntt::core::store_element(data.data() + i,
                             ntt::core::times_word(x, static_cast<std::uint32_t>(i)));
  }
}

}  // namespace

void multiply_rows_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<const Fr> b,
                         gpu::DeviceSpan<Fr> out, gpu::StreamRef stream) {
  multiply_kernel<<<grid(out.size()), kThreads, 0, stream.handle()>>>(a.data(), b.data(), out);
  BELFRY_CUDA_CHECK_LAUNCH("groth16.multiply_rows");
}

void add_rows_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<Fr> sum, gpu::StreamRef stream) {
  add_kernel<<<grid(sum.size()), kThreads, 0, stream.handle()>>>(a.data(), sum);
  BELFRY_CUDA_CHECK_LAUNCH("groth16.add_rows");
}

void scale_by_index_async(gpu::DeviceSpan<Fr> data, gpu::StreamRef stream) {
  scale_kernel<<<grid(data.size()), kThreads, 0, stream.handle()>>>(data);
  BELFRY_CUDA_CHECK_LAUNCH("groth16.scale_by_index");
}

}  // namespace belfry::groth16
