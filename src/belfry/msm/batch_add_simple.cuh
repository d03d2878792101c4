#pragma once

#include "belfry/msm/batch_add.cuh"

// The adder for any curve: every thread loads its own points.
namespace belfry::msm::device {

/// ±points[index], or infinity for no point.
template <bool kSigned, class Affine>
__device__ __forceinline__ Affine load_point(const Affine* points, std::uint32_t index) {
  if (kSigned && index == core::kNoPoint) return Affine::infinity();
  if (!kSigned) return points[index];
  const Affine point = points[index & ~core::kNegative];
  return (index & core::kNegative) != 0 ? -point : point;
}

/// @param prefixes (blocks, kMaxRows, threads)
template <class Curve, class Pairs, unsigned kLogThreads, unsigned kBlocksPerSm>
__global__ void __launch_bounds__(1u << kLogThreads, kBlocksPerSm)
    add_pairs_kernel(Pairs pairs, typename Curve::Field* prefixes) {
  using Field = typename Curve::Field;
  constexpr unsigned kThreads = 1u << kLogThreads;
  __shared__ Field shared[kThreads / kWarpSize];
  const std::uint32_t count = pairs.count();
  const BlockRows rows = BlockRows::of(count, kThreads);
  Field* const own = prefixes + std::size_t{blockIdx.x} * kMaxRows * kThreads + threadIdx.x;
  for (std::uint32_t begin = rows.begin; begin < rows.end; begin += rows.batch) {
    const std::uint32_t end = min(begin + rows.batch, rows.end);
    Field product = Field::one();
#pragma unroll 1
    for (std::uint32_t row = begin; row < end; ++row) {
      const std::uint32_t j = row * kThreads + threadIdx.x;
      own[(row - begin) * kThreads] = product;
      if (j >= count) continue;
      const PairIndex at = pairs(j);
      const auto p = load_point<Pairs::kSigned>(pairs.in, at.first);
      const auto q = load_point<Pairs::kSigned>(pairs.in, at.second);
      product = product * core::slope_denominator(core::classify(p, q), p, q);
    }
    Field inverse = product;
    invert_in_block<kLogThreads>(inverse, shared);
#pragma unroll 1
    for (std::uint32_t row = end; row-- > begin;) {
      const std::uint32_t j = row * kThreads + threadIdx.x;
      if (j >= count) continue;
      const PairIndex at = pairs(j);
      const auto p = load_point<Pairs::kSigned>(pairs.in, at.first);
      const auto q = load_point<Pairs::kSigned>(pairs.in, at.second);
      const core::PairCase pair_case = core::classify(p, q);
      const Field own_inverse = inverse * own[(row - begin) * kThreads];
      inverse = inverse * core::slope_denominator(pair_case, p, q);
      pairs.out[at.out] = core::add_with_inverse(pair_case, p, q, own_inverse);
    }
  }
}

}  // namespace belfry::msm::device
