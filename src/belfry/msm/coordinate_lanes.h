#pragma once

#include "belfry/field/fp_lanes.h"
#include "belfry/msm/kernels_ifma.h"

/// The field over which the curve is defined, eight elements at a time; included by
/// kernels_ifma_*.cpp only (see fr_lanes.h for what such sources must avoid).
///
/// `Coordinate` is an element of the field over which the curve is defined, in eight lanes: Fp for
/// G1, Fp2 for G2. Bounds are multiples of p: stored coordinates are below 1.0001.
namespace belfry::msm::ifma {
namespace {

using field::FpLaneParams;
using field::FpLanes;
using field::FpSum;
using field::kFpStride;
using field::kLanes;

constexpr std::size_t kFpWords = 6;
constexpr std::size_t kFpBytes = 48;

/// Where a stored point lies, without its sign.
BELFRY_LANES const std::byte* stored_at(PointRef ref) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): made from a pointer, in point_ref
  return reinterpret_cast<const std::byte*>(ref.bits & ~std::uintptr_t{1});
}

using Rows = const std::byte* [kLanes];
using OutRows = std::byte* [kLanes];

/// Fp in eight lanes.
struct LanesG1 {
  static constexpr std::size_t kDegree = 1;
  FpLanes c[1];
};
/// Fp2 = Fp[u]/(u² + 1) in eight lanes.
struct LanesG2 {
  static constexpr std::size_t kDegree = 2;
  FpLanes c[2];
};
/// Coordinates of a sum that is not carried.
template <class Coordinate>
struct LaneSum {
  FpSum c[Coordinate::kDegree];
};

BELFRY_LANES LanesG1 mul(const LanesG1& a, const LanesG1& b) noexcept {
  return {{field::fp_mul(a.c[0], b.c[0])}};
}
BELFRY_LANES LanesG1 square(const LanesG1& a) noexcept { return {{field::fp_square(a.c[0])}}; }

/// Bounds up to 8: the negated coefficient is 16p - a1.
BELFRY_LANES LanesG2 mul(const LanesG2& a, const LanesG2& b) noexcept {
  constexpr std::uint64_t kBound = 16;
  const FpLanes minus_a1 = field::fp_carry(field::fp_negate(a.c[1], field::kAllLanes, kBound));
  return {{field::fp_mul_add(a.c[0], b.c[0], minus_a1, b.c[1]),
           field::fp_mul_add(a.c[0], b.c[1], a.c[1], b.c[0])}};
}
/// (a0 + a1)(a0 - a1) and 2·a0·a1, bounds up to 8.
BELFRY_LANES LanesG2 square(const LanesG2& a) noexcept {
  constexpr std::uint64_t kBound = 16;
  const FpLanes sum = field::fp_carry(field::fp_add(a.c[0], a.c[1]));
  const FpLanes difference = field::fp_carry(field::fp_sub(a.c[0], a.c[1], kBound));
  const FpLanes twice = field::fp_carry(field::fp_add(a.c[0], a.c[0]));
  return {{field::fp_mul(sum, difference), field::fp_mul(twice, a.c[1])}};
}

template <class C>
BELFRY_LANES C one() noexcept {
  C out;
  out.c[0] = field::fp_one();
  if constexpr (C::kDegree == 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
      out.c[1].x.limb[i] = _mm512_setzero_si512();
    }
  }
  return out;
}
template <class C>
BELFRY_LANES C carry(const LaneSum<C>& a) noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k] = field::fp_carry(a.c[k]);
  return out;
}
/// Sums in [p/2, 7p] to below 1.0001p.
template <class C>
BELFRY_LANES C reduce(const LaneSum<C>& a) noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k] = field::fp_reduce_sum(a.c[k]);
  return out;
}
template <class C>
BELFRY_LANES LaneSum<C> add(const C& a, const C& b) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k] = field::fp_add(a.c[k], b.c[k]);
  return out;
}
template <class C>
BELFRY_LANES LaneSum<C> add(const LaneSum<C>& a, const C& b) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k] = field::fp_add(a.c[k], b.c[k]);
  return out;
}
/// a + multiple·p
template <class C>
BELFRY_LANES LaneSum<C> plus(const LaneSum<C>& a, std::uint64_t multiple) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
      out.c[k].x.limb[i] =
          _mm512_add_epi64(a.c[k].x.limb[i], field::lanes_of(multiple * FpLaneParams::kModulus[i]));
    }
  }
  return out;
}
template <class C>
BELFRY_LANES LaneSum<C> sub(const C& a, const C& b, std::uint64_t multiple) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k] = field::fp_sub(a.c[k], b.c[k], multiple);
  return out;
}
template <class C>
BELFRY_LANES LaneSum<C> sub(const LaneSum<C>& a, const C& b, std::uint64_t multiple) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k] = field::fp_sub(a.c[k], b.c[k], multiple);
  return out;
}
/// a - b + multiple·p where b is not carried.
template <class C>
BELFRY_LANES LaneSum<C> sub(const LaneSum<C>& a, const LaneSum<C>& b,
                            std::uint64_t multiple) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    out.c[k].x = field::subtract_limbs(a.c[k].x, b.c[k].x, multiple);
  }
  return out;
}
/// 2p - a in the lanes of the mask: below 2p for a below 1.0001p.
template <class C>
BELFRY_LANES LaneSum<C> with_sign(const C& a, __mmask8 negative) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    out.c[k] = field::fp_negate(a.c[k], negative, 2);
  }
  return out;
}
template <class C>
BELFRY_LANES LaneSum<C> as_sum(const C& a) noexcept {
  LaneSum<C> out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) out.c[k].x = a.c[k].x;
  return out;
}
template <class C>
BELFRY_LANES C select(const C& a, const C& b, __mmask8 mask) noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    out.c[k] = field::fp_select(a.c[k], b.c[k], mask);
  }
  return out;
}
/// Lanes that are zero modulo p; bounds up to 8.
template <class C>
BELFRY_LANES __mmask8 zero_mask(const LaneSum<C>& a) noexcept {
  __mmask8 out = field::kAllLanes;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    out = static_cast<__mmask8>(out & field::fp_zero_mask(field::fp_reduce(a.c[k])));
  }
  return out;
}
/// Lanes whose limbs are all zero: the mark of infinity in a y coordinate, since no point of either
/// curve has y = 0 (both orders are odd).
template <class C>
BELFRY_LANES __mmask8 all_limbs_zero(const C& a) noexcept {
  __m512i any = _mm512_setzero_si512();
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
      any = _mm512_or_si512(any, a.c[k].x.limb[i]);
    }
  }
  return _mm512_testn_epi64_mask(any, any);
}
template <class C>
BELFRY_LANES C cleared(const C& a, __mmask8 mask) noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
      out.c[k].x.limb[i] = _mm512_maskz_mov_epi64(static_cast<__mmask8>(~mask), a.c[k].x.limb[i]);
    }
  }
  return out;
}

/// Coordinate `index` (0 is x, 1 is y) of the stored points.
template <class C>
BELFRY_LANES C gather(const Rows& rows, std::size_t index) noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    Rows shifted;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) {
      shifted[i] = rows[i] + kFpStride * (C::kDegree * index + k);
    }
    out.c[k] = field::fp_gather(shifted);
  }
  return out;
}
template <class C>
BELFRY_LANES void scatter(const OutRows& rows, std::size_t index, const C& a) noexcept {
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
    OutRows shifted;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) {
      shifted[i] = rows[i] + kFpStride * (C::kDegree * index + k);
    }
    field::fp_scatter(shifted, a.c[k]);
  }
}
template <class C>
BELFRY_LANES C load_lanes(const std::byte* from) noexcept {
  C out;
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
      out.c[k].x.limb[i] = _mm512_load_si512(from + 64 * (FpLaneParams::kLimbs * k + i));
    }
  }
  return out;
}
template <class C>
BELFRY_LANES void store_lanes(std::byte* to, const C& a) noexcept {
#pragma GCC unroll 2
  for (std::size_t k = 0; k < C::kDegree; ++k) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
      _mm512_store_si512(to + 64 * (FpLaneParams::kLimbs * k + i), a.c[k].x.limb[i]);
    }
  }
}

BELFRY_LANES FpLanes invert_lanes(const FpLanes& a) noexcept {
  alignas(64) std::uint64_t words[kFpWords * kLanes];
  OutRows rows;
  for (std::size_t i = 0; i < kLanes; ++i) {
    rows[i] = reinterpret_cast<std::byte*>(words + kFpWords * i);
  }
  field::fp_scatter_words(rows, field::fp_canonical(field::fp_to_portable(a)));
  invert_eight(words);
  Rows back;
  for (std::size_t i = 0; i < kLanes; ++i) back[i] = rows[i];
  return field::fp_from_portable(field::fp_gather_words(back));
}
BELFRY_LANES LanesG1 invert(const LanesG1& a) noexcept { return {{invert_lanes(a.c[0])}}; }
/// (a0 - a1·u) / (a0² + a1²).
BELFRY_LANES LanesG2 invert(const LanesG2& a) noexcept {
  const FpLanes norm = invert_lanes(field::fp_mul_add(a.c[0], a.c[0], a.c[1], a.c[1]));
  const FpLanes minus_a1 = field::fp_carry(field::fp_negate(a.c[1], field::kAllLanes, 2));
  return {{field::fp_mul(a.c[0], norm), field::fp_mul(minus_a1, norm)}};
}

}  // namespace
}  // namespace belfry::msm::ifma
