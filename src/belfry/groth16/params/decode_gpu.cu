#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/groth16/params/decode_core.h"
#include "belfry/groth16/params/decode_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr unsigned kThreads = 256;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

template <class Curve>
__global__ void decode_kernel(gpu::DeviceSpan<curve::Affine<Curve>> points, std::uint64_t first,
                              std::uint64_t* first_bad) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= points.size()) return;
  constexpr std::size_t kWords = sizeof(curve::Affine<Curve>) / sizeof(std::uint64_t);
  std::uint64_t words[kWords];
  const auto* from = reinterpret_cast<const std::uint64_t*>(points.data() + i);
#pragma unroll
  for (std::size_t k = 0; k < kWords; ++k) words[k] = from[k];
  curve::Affine<Curve> point;
  if (!core::decode_finite<Curve>(words, point)) {
    atomicMin(reinterpret_cast<unsigned long long*>(first_bad),
              static_cast<unsigned long long>(first + i));
  }
  points[i] = point;
}

template <class Affine>
__global__ void gather_kernel(const Affine* from, gpu::DeviceSpan<const std::uint32_t> indices,
                              Affine* to) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < indices.size()) to[i] = from[indices[i]];
}

}  // namespace

template <class Curve>
void decode_points_async(gpu::DeviceSpan<typename Curve::Affine> points, std::uint64_t first,
                         gpu::DeviceSpan<std::uint64_t> first_bad, gpu::StreamRef stream) {
  if (points.size() == 0) return;
  decode_kernel<Curve>
      <<<grid(points.size()), kThreads, 0, stream.handle()>>>(points, first, first_bad.data());
  BELFRY_CUDA_CHECK_LAUNCH("groth16.decode");
}

template <class Curve>
void gather_points_async(gpu::DeviceSpan<const typename Curve::Affine> from,
                         gpu::DeviceSpan<const std::uint32_t> indices,
                         gpu::DeviceSpan<typename Curve::Affine> to, gpu::StreamRef stream) {
  if (indices.size() == 0) return;
  gather_kernel<<<grid(indices.size()), kThreads, 0, stream.handle()>>>(from.data(), indices,
                                                                        to.data());
  BELFRY_CUDA_CHECK_LAUNCH("groth16.gather_points");
}

#define BELFRY_INSTANTIATE_DECODE(Curve)                                                    \
  template void decode_points_async<Curve>(gpu::DeviceSpan<Curve::Affine>, std::uint64_t,   \
                                           gpu::DeviceSpan<std::uint64_t>, gpu::StreamRef); \
  template void gather_points_async<Curve>(gpu::DeviceSpan<const Curve::Affine>,            \
                                           gpu::DeviceSpan<const std::uint32_t>,            \
                                           gpu::DeviceSpan<Curve::Affine>, gpu::StreamRef)
BELFRY_INSTANTIATE_DECODE(curve::G1);
BELFRY_INSTANTIATE_DECODE(curve::G2);
#undef BELFRY_INSTANTIATE_DECODE

}  // namespace belfry::groth16
