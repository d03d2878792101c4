#include <cstddef>

#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/groth16/prove/product_rate_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr unsigned kThreads = 256;

template <class Field>
__global__ void chain_kernel(gpu::DeviceSpan<Field> values, unsigned rounds) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Field x = values[i];
  const Field y = x;
  for (unsigned r = 0; r < rounds; ++r) x = x * y;
  values[i] = x;
}

}  // namespace

template <class Field>
void multiply_chain_async(gpu::DeviceSpan<Field> values, unsigned rounds, gpu::StreamRef stream) {
  const auto blocks = static_cast<unsigned>(values.size() / kThreads);
  chain_kernel<Field><<<blocks, kThreads, 0, stream.handle()>>>(values, rounds);
  BELFRY_CUDA_CHECK_LAUNCH("groth16.multiply_chain");
}

template void multiply_chain_async(gpu::DeviceSpan<Fp>, unsigned, gpu::StreamRef);
template void multiply_chain_async(gpu::DeviceSpan<Fr>, unsigned, gpu::StreamRef);

}  // namespace belfry::groth16
