#pragma once

#include "belfry/msm/batch_add.cuh"

// The adder for any curve: every thread loads its own points.
namespace belfry::msm::device {

/// ±points[index], or infinity for no point.
template <bool kSigned, class Affine>
__device__ __forceinline__ Affine load_point(const Affine* points, std::uint32_t index) {
  if (kSigned && index == core::kNoPoint) return Affine::infinity();
  if (!kSigned) return load_pieces<Affine>(points + index);
  const auto point = load_pieces<Affine>(points + (index & ~core::kNegative));
  return (index & core::kNegative) != 0 ? -point : point;
}

/// @param prefixes (blocks, kMaxRows, pieces of an element, threads)
template <class Curve, class Pairs, unsigned kLogThreads, unsigned kBlocksPerSm>
__global__ void __launch_bounds__(1u << kLogThreads, kBlocksPerSm)
    add_pairs_kernel(Pairs pairs, typename Curve::Field* prefixes) {
  using Field = typename Curve::Field;
  constexpr unsigned kThreads = 1u << kLogThreads;
  __shared__ Field shared[kThreads / kWarpSize];
  const std::uint32_t count = pairs.count();
  const BlockRows rows = BlockRows::of(count, kThreads);
  constexpr unsigned kStride = kThreads * sizeof(uint4);
  char* const own =
      reinterpret_cast<char*>(prefixes + std::size_t{blockIdx.x} * kMaxRows * kThreads) +
      threadIdx.x * sizeof(uint4);
  // Indices are read a row ahead of the points. Past the end: nothing and nothing.
  const auto pair_of_row = [&](std::uint32_t row) {
    const std::uint32_t j = row * kThreads + threadIdx.x;
    return j < count ? pairs(j) : PairIndex{core::kNoPoint, core::kNoPoint, core::kNoPoint};
  };
  for (std::uint32_t begin = rows.begin; begin < rows.end; begin += rows.batch) {
    const std::uint32_t end = min(begin + rows.batch, rows.end);
    Field product = Field::one();
    PairIndex next = pair_of_row(begin);
#pragma unroll 1
    for (std::uint32_t row = begin; row < end; ++row) {
      const PairIndex at = next;
      next = pair_of_row(row + 1);
      store_pieces(own + (row - begin) * kThreads * sizeof(Field), product, kStride);
      if (at.out == core::kNoPoint) continue;
      const auto p = load_point<Pairs::kSigned>(pairs.in, at.first);
      const auto q = load_point<Pairs::kSigned>(pairs.in, at.second);
      product = product * core::slope_denominator(core::classify(p, q), p, q);
    }
    Field inverse = product;
    invert_in_block<kLogThreads>(inverse, shared);
    next = pair_of_row(end - 1);
#pragma unroll 1
    for (std::uint32_t row = end; row-- > begin;) {
      const PairIndex at = next;
      next = pair_of_row(row - 1);
      if (at.out == core::kNoPoint) continue;
      const auto p = load_point<Pairs::kSigned>(pairs.in, at.first);
      const auto q = load_point<Pairs::kSigned>(pairs.in, at.second);
      const core::PairCase pair_case = core::classify(p, q);
      const Field own_inverse =
          inverse * load_pieces<Field>(own + (row - begin) * kThreads * sizeof(Field), kStride);
      inverse = inverse * core::slope_denominator(pair_case, p, q);
      store_pieces(pairs.out + at.out, core::add_with_inverse(pair_case, p, q, own_inverse));
    }
  }
}

}  // namespace belfry::msm::device
