#pragma once

#include <cstdint>

#include "belfry/msm/affine_pair_core.h"
#include "belfry/msm/batch_add_gpu.h"

// What the adder of both groups (batch_add_kernel.cuh) is made of: where pairs come from, which of
// them a block works on, and one inversion for all its threads.
namespace belfry::msm::device {

inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kWholeWarp = 0xffffffff;
/// Pairs of one thread that share an inversion.
inline constexpr unsigned kMaxRows = 256;

/// Indices of a pair and of its sum. The signs are those of core::PointPair.
struct PairIndex {
  std::uint32_t first;
  std::uint32_t second;
  std::uint32_t out;
};

// Where pairs come from: kSigned says whether indices have signs and may be kNoPoint.
template <class Affine>
struct GatheredPairs {
  using Point = Affine;
  static constexpr bool kSigned = true;
  const Affine* in;
  const core::PointPair* pairs;
  Affine* out;
  const std::uint32_t* count_on_device;

  __device__ std::uint32_t count() const { return *count_on_device; }
  __device__ PairIndex operator()(std::uint32_t j) const {
    const core::PointPair pair = pairs[j];
    return {pair.first, pair.second, j};
  }
};
template <class Affine>
struct SlotPairs {
  using Point = Affine;
  static constexpr bool kSigned = false;
  const Affine* in;
  const std::uint32_t* list;
  Affine* out;
  const std::uint32_t* count_on_device;
  std::uint32_t distance;

  __device__ std::uint32_t count() const { return *count_on_device; }
  __device__ PairIndex operator()(std::uint32_t j) const {
    const std::uint32_t slot = list[j];
    return {slot, slot + distance, slot};
  }
};
template <class Affine>
struct ShapedPairs {
  using Point = Affine;
  static constexpr bool kSigned = false;
  const Affine* in;
  core::RegularPairs pairs;
  Affine* out;
  std::uint32_t count_on_host;

  __device__ std::uint32_t count() const { return count_on_host; }
  __device__ PairIndex operator()(std::uint32_t j) const {
    return {pairs.first(j), pairs.second(j), pairs.out(j)};
  }
};

/// The rows of pairs that a block works on. Row i is the pairs i·row ... (i + 1)·row - 1. Blocks
/// share the rows evenly and cut their share into even batches.
struct BlockRows {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t batch;

  __device__ static BlockRows of(std::uint32_t pairs, unsigned row) {
    const std::uint64_t rows = (std::uint64_t{pairs} + row - 1) / row;
    const auto cut = [&](unsigned block) {
      return static_cast<std::uint32_t>(rows * block / gridDim.x);
    };
    const std::uint32_t begin = cut(blockIdx.x);
    const std::uint32_t share = cut(blockIdx.x + 1) - begin;
    const std::uint32_t batches = (share + kMaxRows - 1) / kMaxRows;
    return {begin, begin + share, batches == 0 ? 1 : (share + batches - 1) / batches};
  }
};

/// The value of the lane whose number differs in `mask`.
template <class Value>
__device__ __forceinline__ Value shuffle_xor(const Value& value, unsigned mask) {
  constexpr int kWords = sizeof(Value) / sizeof(std::uint32_t);
  std::uint32_t words[kWords];
  __builtin_memcpy(words, &value, sizeof(Value));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = __shfl_xor_sync(kWholeWarp, words[i], mask);
  Value out;
  __builtin_memcpy(&out, words, sizeof(Value));
  return out;
}

/// Replaces the value of each of the 2^kLog lanes by its inverse, with one inversion that all lanes
/// compute together (2·(kLog - kShared) multiplications beside it). Every 2^kShared neighbours have
/// one value in common. No value is zero.
template <unsigned kLog, unsigned kShared, class Field, class Invert>
__device__ __forceinline__ Field invert_across(const Field& value, const Invert& invert) {
  Field partner[kLog];
  Field product = value;
#pragma unroll
  for (unsigned i = kShared; i < kLog; ++i) {
    partner[i] = shuffle_xor(product, 1u << i);
    product = product * partner[i];
  }
  Field inverse = invert(product);
#pragma unroll
  for (unsigned i = kLog; i-- > kShared;) inverse = inverse * partner[i];
  return inverse;
}

/// The inverse of every thread's value, with one inversion for the block of 2^kLogThreads threads,
/// of which every 2^kShared neighbours have one value in common. `shared` holds one element a warp.
/// Starts and ends with the block in step.
template <unsigned kLogThreads, unsigned kShared, class Field>
__device__ __noinline__ void invert_in_block(Field& value, Field* shared) {
  constexpr unsigned kLogWarps = kLogThreads - 5;
  const unsigned warp = threadIdx.x / kWarpSize;
  value = invert_across<5, kShared>(value, [&](const Field& product) {
    if (threadIdx.x % kWarpSize == 0) shared[warp] = product;
    __syncthreads();
    if (warp == 0) {
      const unsigned lane = threadIdx.x % (1u << kLogWarps);
      const Field inverse =
          invert_across<kLogWarps, 0>(shared[lane], [](const Field& all) { return all.inverse(); });
      __syncwarp();
      shared[lane] = inverse;
    }
    __syncthreads();
    return shared[warp];
  });
  __syncthreads();
}

}  // namespace belfry::msm::device
