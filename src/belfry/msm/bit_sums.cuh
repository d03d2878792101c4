#pragma once

#include <cstdint>

#include "belfry/curve/weierstrass.h"

// Sums over the set bits of an index, by one block each: the last few thousand additions.
namespace belfry::msm {
namespace device {

inline constexpr unsigned kBitSumThreads = 128;

// Out of line: complete additions are long, and these kernels are short.
template <class Curve>
__device__ __noinline__ void add_point(curve::Xyzz<Curve>& sum, const curve::Affine<Curve>& point) {
  sum += point;
}
template <class Curve>
__device__ __noinline__ void add_sum(curve::Xyzz<Curve>& sum, const curve::Xyzz<Curve>& other) {
  sum += other;
}

/// The sum of points[i·stride] over i < count with the bit set in i (all for a mask of zero), by
/// one block.
template <class Curve>
__device__ void sum_by_bit(const curve::Affine<Curve>* points, std::uint32_t stride,
                           std::uint32_t count, std::uint32_t mask, curve::Xyzz<Curve>* out) {
  __shared__ curve::Xyzz<Curve> shared[kBitSumThreads / 2];
  auto sum = curve::Xyzz<Curve>::infinity();
  for (std::uint32_t i = threadIdx.x; i < count; i += kBitSumThreads) {
    if ((i & mask) == mask) add_point<Curve>(sum, points[std::size_t{i} * stride]);
  }
  for (unsigned half = kBitSumThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x >= half && threadIdx.x < 2 * half) shared[threadIdx.x - half] = sum;
    __syncthreads();
    if (threadIdx.x < half) add_sum<Curve>(sum, shared[threadIdx.x]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sum;
}

}  // namespace device
}  // namespace belfry::msm
