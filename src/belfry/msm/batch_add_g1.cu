#include "belfry/curve/g1.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/affine_pair_core.h"
#include "belfry/msm/batch_add.cuh"
#include "belfry/msm/lazy_fp.cuh"
#include "belfry/msm/staged_copy.cuh"

namespace belfry::msm {
namespace {

using curve::G1;
using curve::G1Affine;
using device::LazyFp;
using device::PairIndex;

constexpr unsigned kLogThreads = 8;
constexpr unsigned kThreads = 1u << kLogThreads;
constexpr unsigned kBlocksPerSm = 2;

// A warp's shared memory. First phase: x coordinates of 32 pairs, in four stages. Second phase:
// both points of 32 pairs, their prefix products, their sums.
constexpr unsigned kStages = 4;
constexpr unsigned kFieldsOfWarp = device::kWarpSize * device::kFieldBytes;
constexpr unsigned kPointsOfWarp = device::kWarpSize * device::kPointStride;
constexpr unsigned kStageBytes = 2 * kFieldsOfWarp;
constexpr unsigned kSecondAt = kPointsOfWarp;
constexpr unsigned kPrefixAt = 2 * kPointsOfWarp;
constexpr unsigned kSumAt = kPrefixAt + kFieldsOfWarp;
constexpr unsigned kWarpBytes = kSumAt + kPointsOfWarp;
static_assert(kWarpBytes >= kStages * kStageBytes);
constexpr unsigned kSharedBytes = kThreads / device::kWarpSize * kWarpBytes;
/// From one 16-byte piece of a prefix product to the next.
constexpr unsigned kPrefixStride = kThreads * device::kPieceBytes;

/// Bit of a point index that is no part of it.
template <class Pairs>
__device__ __forceinline__ std::uint32_t place(std::uint32_t index) {
  return Pairs::kSigned ? index & ~core::kNegative : index;
}
template <class Pairs>
__device__ __forceinline__ bool is_negative(std::uint32_t index) {
  return Pairs::kSigned && (index & core::kNegative) != 0;
}

/// What rare_pair finds.
struct RarePair {
  Fp denominator;
  Fp numerator;
};

/// The cases beside the addition of different points. p and q lie as stored, without their signs.
/// A sum that takes no slope goes to `sum`, if that is not null.
__device__ __noinline__ core::PairCase rare_pair(const G1Affine* p, const G1Affine* q,
                                                 bool p_negative, bool q_negative, RarePair* out,
                                                 G1Affine* sum) {
  const G1Affine first = p_negative ? -*p : *p;
  const G1Affine second = q_negative ? -*q : *q;
  const core::PairCase pair_case = core::classify(first, second);
  out->denominator = core::slope_denominator(pair_case, first, second);
  out->numerator = core::slope_numerator(pair_case, first, second);
  if (sum != nullptr && !core::needs_slope(pair_case)) {
    *sum = core::sum_without_slope(pair_case, first, second);
  }
  return pair_case;
}

/// True for every pair that rare_pair must see, and for one other in 2^30: equal x coordinates, or
/// infinity.
__device__ __forceinline__ bool may_be_rare(const LazyFp& x1, const LazyFp& x2) {
  return x1.w[0] == x2.w[0] || x1.w[0] == 0 || x2.w[0] == 0;
}

/// The rows of one batch that a warp works on.
struct WarpBatch {
  std::uint32_t first;  ///< pair of this thread in the first row
  std::uint32_t rows;   ///< the same in the whole warp

  __device__ static WarpBatch of(std::uint32_t row, std::uint32_t rows, std::uint32_t count) {
    const std::uint32_t first = row * kThreads + threadIdx.x;
    const std::uint32_t of_warp = first & ~(device::kWarpSize - 1);
    if (of_warp >= count) return {first, 0};
    return {first, min(rows, (count - of_warp + kThreads - 1) / kThreads)};
  }
};

template <class Pairs>
__device__ __forceinline__ PairIndex pair_at(const Pairs& pairs, const WarpBatch& batch,
                                             std::uint32_t row, std::uint32_t count) {
  const std::uint32_t j = batch.first + row * kThreads;
  return j < count ? pairs(j) : PairIndex{0, core::kNoPoint, core::kNoPoint};
}
__device__ __forceinline__ bool is_single(const PairIndex& at) {
  return at.second == core::kNoPoint;
}
template <class Pairs>
__device__ __forceinline__ std::uint32_t second_place(const PairIndex& at) {
  return place<Pairs>(is_single(at) ? at.first : at.second);
}

/// First phase: the product of the thread's denominators. The product of those before each row goes
/// to `prefixes`.
template <class Pairs>
__device__ __forceinline__ LazyFp multiply_denominators(const Pairs& pairs, const WarpBatch& batch,
                                                        std::uint32_t count, char* memory,
                                                        char* prefixes) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  std::uint32_t singles = 0;  // a bit a stage
  const auto start = [&](std::uint32_t row, const PairIndex& at) {
    const unsigned stage = shared + row % kStages * kStageBytes;
    singles &= ~(1u << (row % kStages));
    singles |= std::uint32_t{is_single(at)} << (row % kStages);
    device::fetch_x_async(stage, pairs.in, place<Pairs>(at.first));
    device::fetch_x_async(stage + kFieldsOfWarp, pairs.in, second_place<Pairs>(at));
  };
  PairIndex next = pair_at(pairs, batch, 0, count);
#pragma unroll 1
  for (std::uint32_t row = 0; row + 1 < kStages; ++row) {
    if (row < batch.rows) start(row, next);
    device::close_copies();
    next = pair_at(pairs, batch, row + 1, count);
  }
  LazyFp product = device::to_lazy(Fp::one());
#pragma unroll 1
  for (std::uint32_t row = 0; row < batch.rows; ++row) {
    if (row + kStages - 1 < batch.rows) start(row + kStages - 1, next);
    device::close_copies();
    next = pair_at(pairs, batch, row + kStages, count);
    device::wait_for_copies<kStages - 1>();
    __syncwarp();
    const char* const own = memory + row % kStages * kStageBytes +
                            threadIdx.x % device::kWarpSize * device::kFieldBytes;
    const LazyFp x1 = device::load_fp(own);
    const LazyFp x2 = device::load_fp(own + kFieldsOfWarp);
    LazyFp denominator = device::subtract_lazy(x2, x1);
    if ((singles >> (row % kStages) & 1) != 0) {
      denominator = device::to_lazy(Fp::one());
    } else if (may_be_rare(x1, x2)) {
      const PairIndex at = pair_at(pairs, batch, row, count);
      RarePair rare;
      rare_pair(pairs.in + place<Pairs>(at.first), pairs.in + second_place<Pairs>(at),
                is_negative<Pairs>(at.first), is_negative<Pairs>(at.second), &rare, nullptr);
      denominator = device::to_lazy(rare.denominator);
    }
    device::store_fp(prefixes, product, kPrefixStride);
    prefixes += 3 * kPrefixStride;
    product = device::multiply(product, denominator);
    __syncwarp();
  }
  device::wait_for_copies<0>();
  return product;
}

/// The denominator of a pair in shared memory. Where no slope is needed the sum is written at once.
template <class Pairs>
__device__ __forceinline__ LazyFp find_denominator(const PairIndex& at, char* own,
                                                   core::PairCase& pair_case, RarePair& rare) {
  const LazyFp x1 = device::load_fp(own);
  if (is_single(at)) {
    pair_case = core::PairCase::kFirst;
    const LazyFp y1 = device::load_fp(own + device::kFieldBytes);
    // Infinity has y = 0 and stays as it is.
    const bool negative = is_negative<Pairs>(at.first) && !device::is_zero(y1);
    device::store_fp(own + kSumAt, x1);
    device::store_fp(own + kSumAt + device::kFieldBytes, device::negated_if(negative, y1));
    return device::to_lazy(Fp::one());
  }
  pair_case = core::PairCase::kAdd;
  const LazyFp x2 = device::load_fp(own + kSecondAt);
  if (may_be_rare(x1, x2)) {
    pair_case =
        rare_pair(reinterpret_cast<const G1Affine*>(own),
                  reinterpret_cast<const G1Affine*>(own + kSecondAt), is_negative<Pairs>(at.first),
                  is_negative<Pairs>(at.second), &rare, reinterpret_cast<G1Affine*>(own + kSumAt));
    return device::to_lazy(rare.denominator);
  }
  return device::subtract_lazy(x2, x1);
}

/// y2 - y1. With it x2 and y1 move to the place of the sum, out of the way of the next pair.
template <class Pairs>
__device__ __forceinline__ LazyFp find_numerator(const PairIndex& at, char* own,
                                                 core::PairCase pair_case, const RarePair& rare) {
  LazyFp y1 = device::load_fp(own + device::kFieldBytes);
  LazyFp y2 = device::load_fp(own + kSecondAt + device::kFieldBytes);
  if constexpr (Pairs::kSigned) {
    y1 = device::negated_if(is_negative<Pairs>(at.first), y1);
    y2 = device::negated_if(is_negative<Pairs>(at.second), y2);
  }
  if (core::needs_slope(pair_case)) {
    device::store_fp(own + kSumAt, device::load_fp(own + kSecondAt));
    device::store_fp(own + kSumAt + device::kFieldBytes, y1);
  }
  if (pair_case == core::PairCase::kDouble) return device::to_lazy(rare.numerator);
  return device::subtract_lazy(y2, y1);
}

/// The sum from slope, x1 and what find_numerator left.
__device__ __forceinline__ void finish_sum(const LazyFp& slope, const LazyFp& x1, char* sum,
                                           bool has_slope) {
  LazyFp x3 = device::subtract(device::reduced(device::square(slope)), x1);
  if (has_slope) {
    x3 = device::subtract(x3, device::load_fp(sum));
    device::store_fp(sum, x3);
  }
  LazyFp y3 = device::reduced(device::multiply(slope, device::subtract_lazy(x1, x3)));
  if (has_slope) {
    y3 = device::subtract(y3, device::load_fp(sum + device::kFieldBytes));
    device::store_fp(sum + device::kFieldBytes, y3);
  }
}

/// Second phase, last row first: inverses out of `inverse`, that of the thread's product, and sums.
template <class Pairs>
__device__ __forceinline__ void add_rows(const Pairs& pairs, const WarpBatch& batch,
                                         std::uint32_t count, char* memory, const char* prefixes,
                                         LazyFp inverse) {
  constexpr unsigned kPieceRow = device::kWarpSize * device::kPieceBytes;
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  char* const own = memory + threadIdx.x % device::kWarpSize * device::kPointStride;
  const unsigned own_prefix = kPrefixAt + threadIdx.x % device::kWarpSize * device::kPieceBytes;
  prefixes += std::size_t{batch.rows} * 3 * kPrefixStride;
  const auto start = [&](const PairIndex& at) {
    device::fetch_point_async(shared, pairs.in, place<Pairs>(at.first));
    device::fetch_point_async(shared + kSecondAt, pairs.in, second_place<Pairs>(at));
    prefixes -= 3 * kPrefixStride;
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) {
      device::copy_piece_async(shared + own_prefix + k * kPieceRow, prefixes + k * kPrefixStride);
    }
    device::close_copies();
  };
  PairIndex at = pair_at(pairs, batch, batch.rows - 1, count);
  PairIndex next = pair_at(pairs, batch, batch.rows - 2, count);
  start(at);
#pragma unroll 1
  for (std::uint32_t row = batch.rows; row-- > 0;) {
    device::wait_for_copies<0>();
    __syncwarp();
    core::PairCase pair_case;
    RarePair rare;
    const LazyFp denominator = find_denominator<Pairs>(at, own, pair_case, rare);
    const LazyFp own_inverse =
        device::multiply(inverse, device::load_fp(memory + own_prefix, kPieceRow));
    inverse = device::multiply(inverse, denominator);
    const LazyFp numerator = find_numerator<Pairs>(at, own, pair_case, rare);
    const LazyFp x1 = device::load_fp(own);
    const std::uint32_t out = at.out;
    __syncwarp();
    if (row > 0) {
      at = next;
      start(at);
      next = pair_at(pairs, batch, row - 2, count);
    }
    const LazyFp slope = device::multiply(numerator, own_inverse);
    finish_sum(slope, x1, own + kSumAt, core::needs_slope(pair_case));
    __syncwarp();
    device::store_points(memory + kSumAt, pairs.out, out);
    __syncwarp();
  }
}

/// Memory: kSharedBytes. prefixes: (blocks, kMaxRows, 3 pieces, threads).
template <class Pairs>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    add_pairs_kernel(const Pairs pairs, Fp* prefixes) {
  extern __shared__ __align__(16) char memory[];
  __shared__ Fp warp_products[kThreads / device::kWarpSize];
  char* const of_warp = memory + threadIdx.x / device::kWarpSize * kWarpBytes;
  char* const own_prefixes =
      reinterpret_cast<char*>(prefixes + std::size_t{blockIdx.x} * device::kMaxRows * kThreads) +
      threadIdx.x * device::kPieceBytes;
  const std::uint32_t count = pairs.count();
  const device::BlockRows rows = device::BlockRows::of(count, kThreads);
#pragma unroll 1
  for (std::uint32_t row = rows.begin; row < rows.end; row += rows.batch) {
    const auto batch = WarpBatch::of(row, min(rows.batch, rows.end - row), count);
    Fp inverse = Fp::one();
    if (batch.rows > 0) {
      inverse = device::to_fp(multiply_denominators(pairs, batch, count, of_warp, own_prefixes));
    }
    device::invert_in_block<kLogThreads>(inverse, warp_products);
    if (batch.rows > 0) {
      add_rows(pairs, batch, count, of_warp, own_prefixes, device::to_lazy(inverse));
    }
  }
}

template <class Pairs>
void launch(const Pairs& pairs, unsigned blocks, gpu::DeviceSpan<Fp> prefixes,
            gpu::StreamRef stream) {
  BELFRY_CUDA_TRY(
      cudaFuncSetAttribute(add_pairs_kernel<Pairs>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(kSharedBytes)),
      "msm.add_pairs");
  add_pairs_kernel<<<blocks, kThreads, kSharedBytes, stream.handle()>>>(pairs, prefixes.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.add_pairs");
}

}  // namespace

template <>
Result<BatchAdder<curve::G1>> BatchAdder<curve::G1>::create(unsigned multiprocessors,
                                                            gpu::Arena& arena) {
  const unsigned blocks = multiprocessors * kBlocksPerSm;
  BELFRY_TRY(const auto prefixes,
             arena.take<Fp>(std::uint64_t{blocks} * device::kMaxRows * kThreads, "prefixes"));
  return BatchAdder(blocks, prefixes);
}

template <>
void BatchAdder<curve::G1>::add_gathered_async(const Affine* points, const core::PointPair* pairs,
                                               const std::uint32_t* count, Affine* out,
                                               gpu::StreamRef stream) const {
  launch(device::GatheredPairs<Affine>{points, pairs, out, count}, blocks_, prefixes_, stream);
}
template <>
void BatchAdder<curve::G1>::add_slots_async(Affine* slots, const std::uint32_t* list,
                                            std::uint32_t distance, const std::uint32_t* count,
                                            gpu::StreamRef stream) const {
  launch(device::SlotPairs<Affine>{slots, list, slots, count, distance}, blocks_, prefixes_,
         stream);
}
template <>
void BatchAdder<curve::G1>::add_regular_async(const core::RegularPairs& pairs, const Affine* in,
                                              std::uint32_t count, Affine* out,
                                              gpu::StreamRef stream) const {
  launch(device::ShapedPairs<Affine>{in, pairs, out, count}, blocks_, prefixes_, stream);
}

}  // namespace belfry::msm
