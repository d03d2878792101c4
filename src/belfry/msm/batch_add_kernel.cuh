#pragma once

#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/affine_pair_core.h"
#include "belfry/msm/batch_add.cuh"
#include "belfry/msm/spread_fp.cuh"
#include "belfry/msm/staged_copy.cuh"

// BatchAdder for any curve; instantiated by batch_add_g1.cu and batch_add_g2.cu. The lanes that a
// coordinate is spread over (spread_fp.cuh) work on one pair together.
namespace belfry::msm {
namespace adder {

using device::LazyFp;
using device::PairIndex;

inline constexpr unsigned kBlocksPerSm = 2;
/// A product in Fp2 needs twice the registers of one in Fp: 128 threads of 255 instead of 256 of
/// 128. Sums of few points gain by it, those of many lose 2 % (docs/perf/gpu_msm.md).
template <class Field>
inline constexpr unsigned kLogThreads = 8 - device::Spread<Field>::kLog;
template <class Field>
inline constexpr unsigned kThreads = 1u << kLogThreads<Field>;

// A warp's shared memory. First phase: x coordinates of its pairs, in four stages. Second phase:
// both points of its pairs, their prefix products, their sums.
inline constexpr unsigned kStages = 4;
inline constexpr unsigned kFieldsOfWarp = device::kWarpSize * device::kFieldBytes;
inline constexpr unsigned kPointsOfWarp = device::kWarpSize * device::kPointStride;
inline constexpr unsigned kStageBytes = 2 * kFieldsOfWarp;
inline constexpr unsigned kSecondAt = kPointsOfWarp;
inline constexpr unsigned kPrefixAt = 2 * kPointsOfWarp;
inline constexpr unsigned kSumAt = kPrefixAt + kFieldsOfWarp;
inline constexpr unsigned kWarpBytes = kSumAt + kPointsOfWarp;
static_assert(kWarpBytes >= kStages * kStageBytes);
template <class Field>
inline constexpr unsigned kSharedBytes = kThreads<Field> / device::kWarpSize * kWarpBytes;
/// From one 16-byte piece of a prefix product to the next.
template <class Field>
inline constexpr unsigned kPrefixStride = kThreads<Field> * device::kPieceBytes;

template <class Pairs>
using FieldOf = typename Pairs::Point::Field;
template <class Pairs>
using SpreadOf = device::Spread<FieldOf<Pairs>>;
/// Pairs of a block's row.
template <class Pairs>
inline constexpr unsigned kRow = kThreads<FieldOf<Pairs>> >> SpreadOf<Pairs>::kLog;
/// From x to y of a point.
template <class Pairs>
inline constexpr unsigned kYAt = device::kFieldBytes << SpreadOf<Pairs>::kLog;

/// Where the lane's coefficient of a point's x lies in shared memory.
template <class Pairs>
__device__ __forceinline__ unsigned own_offset() {
  constexpr unsigned kLog = SpreadOf<Pairs>::kLog;
  const unsigned lane = threadIdx.x % device::kWarpSize;
  return (lane >> kLog) * (device::kPointStride << kLog) +
         (lane & ((1u << kLog) - 1)) * device::kFieldBytes;
}

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
template <class Field>
struct RarePair {
  Field denominator;
  Field numerator;
};

/// The cases beside the addition of different points. p and q lie as stored, without their signs.
/// A sum that takes no slope goes to `sum`, if that is not null; lanes of one pair write the same.
template <class Affine>
__device__ __noinline__ core::PairCase rare_pair(const Affine* p, const Affine* q, bool p_negative,
                                                 bool q_negative,
                                                 RarePair<typename Affine::Field>* out,
                                                 Affine* sum) {
  const Affine first = p_negative ? -*p : *p;
  const Affine second = q_negative ? -*q : *q;
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
template <class Spread>
__device__ __forceinline__ bool may_be_rare(const LazyFp& x1, const LazyFp& x2) {
  return Spread::in_all(x1.w[0] == x2.w[0] || x1.w[0] == 0 || x2.w[0] == 0);
}

/// The rows of one batch that a warp works on.
struct WarpBatch {
  std::uint32_t first;  ///< pair of this lane in the first row
  std::uint32_t rows;   ///< the same in the whole warp

  template <class Pairs>
  __device__ static WarpBatch of(std::uint32_t row, std::uint32_t rows, std::uint32_t count) {
    constexpr unsigned kLog = SpreadOf<Pairs>::kLog;
    constexpr unsigned kPairsOfWarp = device::kWarpSize >> kLog;
    const std::uint32_t first = row * kRow<Pairs> + (threadIdx.x >> kLog);
    const std::uint32_t of_warp = first & ~(kPairsOfWarp - 1);
    if (of_warp >= count) return {first, 0};
    return {first, min(rows, (count - of_warp + kRow<Pairs> - 1) / kRow<Pairs>)};
  }
};

template <class Pairs>
__device__ __forceinline__ PairIndex pair_at(const Pairs& pairs, const WarpBatch& batch,
                                             std::uint32_t row, std::uint32_t count) {
  const std::uint32_t j = batch.first + row * kRow<Pairs>;
  return j < count ? pairs(j) : PairIndex{0, core::kNoPoint, core::kNoPoint};
}
__device__ __forceinline__ bool is_single(const PairIndex& at) {
  return at.second == core::kNoPoint;
}
template <class Pairs>
__device__ __forceinline__ std::uint32_t second_place(const PairIndex& at) {
  return place<Pairs>(is_single(at) ? at.first : at.second);
}

/// First phase: the product of the lane's denominators. The product of those before each row goes
/// to `prefixes`.
template <class Pairs>
__device__ __forceinline__ LazyFp multiply_denominators(const Pairs& pairs, const WarpBatch& batch,
                                                        std::uint32_t count, char* memory,
                                                        char* prefixes) {
  using Spread = SpreadOf<Pairs>;
  constexpr unsigned kStride = kPrefixStride<FieldOf<Pairs>>;
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  std::uint32_t singles = 0;  // a bit a stage
  const auto start = [&](std::uint32_t row, const PairIndex& at) {
    const unsigned stage = shared + row % kStages * kStageBytes;
    singles &= ~(1u << (row % kStages));
    singles |= std::uint32_t{is_single(at)} << (row % kStages);
    device::fetch_x_async<Spread::kLog>(stage, pairs.in, place<Pairs>(at.first));
    device::fetch_x_async<Spread::kLog>(stage + kFieldsOfWarp, pairs.in, second_place<Pairs>(at));
  };
  PairIndex next = pair_at(pairs, batch, 0, count);
#pragma unroll 1
  for (std::uint32_t row = 0; row + 1 < kStages; ++row) {
    if (row < batch.rows) start(row, next);
    device::close_copies();
    next = pair_at(pairs, batch, row + 1, count);
  }
  const LazyFp one = Spread::own(FieldOf<Pairs>::one());
  LazyFp product = one;
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
    const bool rare_or_single = may_be_rare<Spread>(x1, x2);
    LazyFp denominator = device::subtract_lazy(x2, x1);
    if ((singles >> (row % kStages) & 1) != 0) {
      denominator = Spread::own(FieldOf<Pairs>::one());
    } else if (rare_or_single) {
      const PairIndex at = pair_at(pairs, batch, row, count);
      RarePair<FieldOf<Pairs>> rare;
      rare_pair<typename Pairs::Point>(
          pairs.in + place<Pairs>(at.first), pairs.in + second_place<Pairs>(at),
          is_negative<Pairs>(at.first), is_negative<Pairs>(at.second), &rare, nullptr);
      denominator = Spread::own(rare.denominator);
    }
    device::store_fp(prefixes, product, kStride);
    prefixes += 3 * kStride;
    product = Spread::multiply(product, denominator);
    __syncwarp();
  }
  device::wait_for_copies<0>();
  return product;
}

/// The denominator of a pair in shared memory. Where no slope is needed the sum is written at once.
template <class Pairs>
__device__ __forceinline__ LazyFp find_denominator(const PairIndex& at, char* own, char* whole,
                                                   core::PairCase& pair_case,
                                                   RarePair<FieldOf<Pairs>>& rare) {
  using Point = typename Pairs::Point;
  using Spread = SpreadOf<Pairs>;
  const LazyFp x1 = device::load_fp(own);
  const LazyFp x2 = device::load_fp(own + kSecondAt);
  const bool rare_or_single = may_be_rare<Spread>(x1, x2);
  if (is_single(at)) {
    pair_case = core::PairCase::kFirst;
    const LazyFp y1 = device::load_fp(own + kYAt<Pairs>);
    // Zero, of infinity or as a coefficient, stays as it is.
    const bool negative = is_negative<Pairs>(at.first) && !device::is_zero(y1);
    device::store_fp(own + kSumAt, x1);
    device::store_fp(own + kSumAt + kYAt<Pairs>, device::negated_if(negative, y1));
    return Spread::own(FieldOf<Pairs>::one());
  }
  pair_case = core::PairCase::kAdd;
  if (rare_or_single) {
    pair_case = rare_pair<Point>(reinterpret_cast<const Point*>(whole),
                                 reinterpret_cast<const Point*>(whole + kSecondAt),
                                 is_negative<Pairs>(at.first), is_negative<Pairs>(at.second), &rare,
                                 reinterpret_cast<Point*>(whole + kSumAt));
    return Spread::own(rare.denominator);
  }
  return device::subtract_lazy(x2, x1);
}

/// y2 - y1. With it x2 and y1 move to the place of the sum, out of the way of the next pair.
template <class Pairs>
__device__ __forceinline__ LazyFp find_numerator(const PairIndex& at, char* own,
                                                 core::PairCase pair_case,
                                                 const RarePair<FieldOf<Pairs>>& rare) {
  LazyFp y1 = device::load_fp(own + kYAt<Pairs>);
  LazyFp y2 = device::load_fp(own + kSecondAt + kYAt<Pairs>);
  if constexpr (Pairs::kSigned) {
    y1 = device::negated_if(is_negative<Pairs>(at.first), y1);
    y2 = device::negated_if(is_negative<Pairs>(at.second), y2);
  }
  if (core::needs_slope(pair_case)) {
    device::store_fp(own + kSumAt, device::load_fp(own + kSecondAt));
    device::store_fp(own + kSumAt + kYAt<Pairs>, y1);
  }
  if (pair_case == core::PairCase::kDouble) return SpreadOf<Pairs>::own(rare.numerator);
  return device::subtract_lazy(y2, y1);
}

/// The sum from slope, x1 and what find_numerator left.
template <class Pairs>
__device__ __forceinline__ void finish_sum(const LazyFp& slope, const LazyFp& x1, char* sum,
                                           bool has_slope) {
  using Spread = SpreadOf<Pairs>;
  LazyFp x3 = device::subtract(device::reduced(Spread::square(slope)), x1);
  if (has_slope) {
    x3 = device::subtract(x3, device::load_fp(sum));
    device::store_fp(sum, x3);
  }
  LazyFp y3 = device::reduced(Spread::multiply(slope, device::subtract_lazy(x1, x3)));
  if (has_slope) {
    y3 = device::subtract(y3, device::load_fp(sum + kYAt<Pairs>));
    device::store_fp(sum + kYAt<Pairs>, y3);
  }
}

/// Second phase, last row first: inverses out of `inverse`, that of the lane's product, and sums.
template <class Pairs>
__device__ __forceinline__ void add_rows(const Pairs& pairs, const WarpBatch& batch,
                                         std::uint32_t count, char* memory, const char* prefixes,
                                         LazyFp inverse) {
  using Spread = SpreadOf<Pairs>;
  constexpr unsigned kStride = kPrefixStride<FieldOf<Pairs>>;
  constexpr unsigned kPieceRow = device::kWarpSize * device::kPieceBytes;
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  char* const own = memory + own_offset<Pairs>();
  char* const whole = own - (threadIdx.x & ((1u << Spread::kLog) - 1)) * device::kFieldBytes;
  const unsigned own_prefix = kPrefixAt + threadIdx.x % device::kWarpSize * device::kPieceBytes;
  prefixes += std::size_t{batch.rows} * 3 * kStride;
  const auto start = [&](const PairIndex& at) {
    device::fetch_point_async<Spread::kLog>(shared, pairs.in, place<Pairs>(at.first));
    device::fetch_point_async<Spread::kLog>(shared + kSecondAt, pairs.in, second_place<Pairs>(at));
    prefixes -= 3 * kStride;
#pragma unroll
    for (unsigned k = 0; k < 3; ++k) {
      device::copy_piece_async(shared + own_prefix + k * kPieceRow, prefixes + k * kStride);
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
    RarePair<FieldOf<Pairs>> rare;
    const LazyFp denominator = find_denominator<Pairs>(at, own, whole, pair_case, rare);
    const LazyFp own_inverse =
        Spread::multiply(inverse, device::load_fp(memory + own_prefix, kPieceRow));
    inverse = Spread::multiply(inverse, denominator);
    const LazyFp numerator = find_numerator<Pairs>(at, own, pair_case, rare);
    const LazyFp x1 = device::load_fp(own);
    const std::uint32_t out = at.out;
    __syncwarp();
    if (row > 0) {
      at = next;
      start(at);
      next = pair_at(pairs, batch, row - 2, count);
    }
    const LazyFp slope = Spread::multiply(numerator, own_inverse);
    finish_sum<Pairs>(slope, x1, own + kSumAt, core::needs_slope(pair_case));
    __syncwarp();
    device::store_points<Spread::kLog>(memory + kSumAt, pairs.out, out);
    __syncwarp();
  }
}

/// Memory: kSharedBytes. prefixes: (blocks, kMaxRows, 3 pieces, threads).
template <class Pairs>
__global__ void __launch_bounds__(kThreads<FieldOf<Pairs>>, kBlocksPerSm)
    add_pairs_kernel(const Pairs pairs, Fp* prefixes) {
  using Field = FieldOf<Pairs>;
  using Spread = SpreadOf<Pairs>;
  constexpr unsigned kBlock = kThreads<Field>;
  extern __shared__ __align__(16) char memory[];
  __shared__ Field warp_products[kBlock / device::kWarpSize];
  char* const of_warp = memory + threadIdx.x / device::kWarpSize * kWarpBytes;
  char* const own_prefixes =
      reinterpret_cast<char*>(prefixes + std::size_t{blockIdx.x} * device::kMaxRows * kBlock) +
      threadIdx.x * device::kPieceBytes;
  const std::uint32_t count = pairs.count();
  const device::BlockRows rows = device::BlockRows::of(count, kRow<Pairs>);
#pragma unroll 1
  for (std::uint32_t row = rows.begin; row < rows.end; row += rows.batch) {
    const auto batch = WarpBatch::of<Pairs>(row, min(rows.batch, rows.end - row), count);
    Field inverse = Field::one();
    if (batch.rows > 0) {
      inverse = Spread::gather(multiply_denominators(pairs, batch, count, of_warp, own_prefixes));
    }
    device::invert_in_block<kLogThreads<Field>, Spread::kLog>(inverse, warp_products);
    if (batch.rows > 0) {
      add_rows(pairs, batch, count, of_warp, own_prefixes, Spread::own(inverse));
    }
  }
}

template <class Pairs, class Field>
void launch(const Pairs& pairs, unsigned blocks, gpu::DeviceSpan<Field> prefixes,
            gpu::StreamRef stream) {
  BELFRY_CUDA_TRY(
      cudaFuncSetAttribute(add_pairs_kernel<Pairs>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(kSharedBytes<Field>)),
      "msm.add_pairs");
  add_pairs_kernel<<<blocks, kThreads<Field>, kSharedBytes<Field>, stream.handle()>>>(
      pairs, reinterpret_cast<Fp*>(prefixes.data()));
  BELFRY_CUDA_CHECK_LAUNCH("msm.add_pairs");
}

}  // namespace adder

template <class Curve>
Result<BatchAdder<Curve>> BatchAdder<Curve>::create(unsigned multiprocessors, gpu::Arena& arena) {
  constexpr unsigned kRow = adder::kThreads<Field> >> device::Spread<Field>::kLog;
  const unsigned blocks = multiprocessors * adder::kBlocksPerSm;
  BELFRY_TRY(const auto prefixes,
             arena.take<Field>(std::uint64_t{blocks} * device::kMaxRows * kRow, "prefixes"));
  return BatchAdder(blocks, prefixes);
}

template <class Curve>
void BatchAdder<Curve>::add_gathered_async(const Affine* points, const core::PointPair* pairs,
                                           const std::uint32_t* count, Affine* out,
                                           gpu::StreamRef stream) const {
  adder::launch(device::GatheredPairs<Affine>{points, pairs, out, count}, blocks_, prefixes_,
                stream);
}
template <class Curve>
void BatchAdder<Curve>::add_slots_async(Affine* slots, const std::uint32_t* list,
                                        std::uint32_t distance, const std::uint32_t* count,
                                        gpu::StreamRef stream) const {
  adder::launch(device::SlotPairs<Affine>{slots, list, slots, count, distance}, blocks_, prefixes_,
                stream);
}
template <class Curve>
void BatchAdder<Curve>::add_regular_async(const core::RegularPairs& pairs, const Affine* in,
                                          std::uint32_t count, Affine* out,
                                          gpu::StreamRef stream) const {
  adder::launch(device::ShapedPairs<Affine>{in, pairs, out, count}, blocks_, prefixes_, stream);
}

}  // namespace belfry::msm
