#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "belfry/field/fr_lanes.h"

/// Multiplication by constants for eight Fr at a time, and the Lanes type of strip_core.h for
/// AVX-512 IFMA. As fr_lanes.h: only for sources that belfry_isa() compiles; internal linkage.
///
/// A constant w < r comes with w' = floor(w·2^260 / r). For any x below 2^260, with the estimate
/// q = floor(x·w' / 2^260), possibly one too small, x·w - q·r lies in [0, 2.001r): so only its low
/// 260 bits are computed, 84 multiplications of limbs instead of Montgomery's 105, and x need not
/// be reduced. The product keeps x's form, as w is an ordinary integer. Source: Shoup's
/// multiplication by a constant, as in Harvey, "Faster arithmetic for number-theoretic transforms"
/// (2014), 2.
namespace belfry::ntt {
namespace {

using field::FrLaneParams;
using FrLimbs = field::LaneLimbs<FrLaneParams>;

constexpr std::size_t kLimbs = FrLaneParams::kLimbs;

/// w and w', one for all lanes, as tables hold them.
struct SharedConstant {
  std::uint64_t w[kLimbs];
  std::uint64_t quotient[kLimbs];
};
/// w and w', one for each lane.
struct LaneConstant {
  FrLimbs w;
  FrLimbs quotient;
};

/// -r^-1 mod 2^260, carried limbs.
struct NegatedInverse {
  std::uint64_t limb[kLimbs] = {};

  constexpr NegatedInverse() noexcept {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << field::kLaneRadix) - 1;
    std::uint64_t sum[kLimbs] = {1};  // 1 + r · (limbs found so far)
    for (std::size_t i = 0; i < kLimbs; ++i) {
      limb[i] = (sum[i] * FrLaneParams::kInverse) & kMask;
      std::uint64_t up = 0;
      for (std::size_t j = i; j < kLimbs; ++j) {
        __extension__ using Wide = unsigned __int128;
        const Wide t = Wide{limb[i]} * FrLaneParams::kModulus[j - i] + sum[j] + up;
        sum[j] = static_cast<std::uint64_t>(t) & kMask;
        up = static_cast<std::uint64_t>(t >> field::kLaneRadix);
      }
    }
  }
};
constexpr NegatedInverse kNegatedInverse;

/// Limb j of a number that is the same in all lanes.
struct Broadcast {
  const std::uint64_t* limbs;
  BELFRY_LANES __m512i operator()(std::size_t j) const noexcept {
    return field::lanes_of(limbs[j]);
  }
};
/// Limb j of eight numbers.
struct Separate {
  const FrLimbs* value;
  BELFRY_LANES __m512i operator()(std::size_t j) const noexcept { return value->limb[j]; }
};

/// Two independent values. Everything is computed for two at a time, step by step in turn: a limb
/// multiplication has a latency of four cycles and two start in each, so one value alone would
/// wait.
struct Two {
  FrLimbs first;
  FrLimbs second;
};

/// t += x·y mod 2^260, limb by limb, not carried; y by its limbs.
template <class FirstLimb, class SecondLimb>
BELFRY_LANES void add_low_product(Two& t, const Two& x, const FirstLimb& first,
                                  const SecondLimb& second) noexcept {
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kLimbs; ++j) {
    const __m512i y1 = first(j);
    const __m512i y2 = second(j);
#pragma GCC unroll 8
    for (std::size_t i = 0; i + j < kLimbs; ++i) {
      __m512i& t1 = t.first.limb[i + j];
      __m512i& t2 = t.second.limb[i + j];
      t1 = _mm512_madd52lo_epu64(t1, x.first.limb[i], y1);
      t2 = _mm512_madd52lo_epu64(t2, x.second.limb[i], y2);
    }
#pragma GCC unroll 8
    for (std::size_t i = 0; i + j + 1 < kLimbs; ++i) {
      __m512i& t1 = t.first.limb[i + j + 1];
      __m512i& t2 = t.second.limb[i + j + 1];
      t1 = _mm512_madd52hi_epu64(t1, x.first.limb[i], y1);
      t2 = _mm512_madd52hi_epu64(t2, x.second.limb[i], y2);
    }
  }
}

/// Columns 4 .. 9 of a product.
struct HighColumns {
  __m512i column[kLimbs + 1];
};
/// Takes a sum to limbs whose low 52 bits are right, which is all that a multiplication reads.
BELFRY_LANES FrLimbs settle(FrLimbs x) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i + 1 < kLimbs; ++i) {
    x.limb[i + 1] =
        _mm512_add_epi64(x.limb[i + 1], _mm512_srai_epi64(x.limb[i], field::kLaneRadix));
  }
  return x;
}

/// They are a number below 2^312 in limbs that are not carried: drops the lowest.
BELFRY_LANES FrLimbs drop_lowest(HighColumns t) noexcept {
  FrLimbs out;
  t.column[1] = _mm512_add_epi64(t.column[1], _mm512_srli_epi64(t.column[0], field::kLaneRadix));
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) out.limb[i] = t.column[i + 1];
  return settle(out);
}

/// floor(x·y / 2^260) or one less: columns below the fourth are left out.
template <class FirstLimb, class SecondLimb>
BELFRY_LANES Two high_product(const Two& x, const FirstLimb& first,
                              const SecondLimb& second) noexcept {
  HighColumns t1;
  HighColumns t2;
#pragma GCC unroll 8
  for (std::size_t i = 0; i <= kLimbs; ++i) t1.column[i] = t2.column[i] = _mm512_setzero_si512();
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kLimbs; ++j) {
    const __m512i y1 = first(j);
    const __m512i y2 = second(j);
#pragma GCC unroll 8
    for (std::size_t i = kLimbs - 1 - j; i < kLimbs; ++i) {
      __m512i& c1 = t1.column[i + j + 1 - kLimbs];
      __m512i& c2 = t2.column[i + j + 1 - kLimbs];
      c1 = _mm512_madd52lo_epu64(c1, x.first.limb[i], y1);
      c2 = _mm512_madd52lo_epu64(c2, x.second.limb[i], y2);
    }
#pragma GCC unroll 8
    for (std::size_t i = j + 1 < kLimbs ? kLimbs - 2 - j : 0; i < kLimbs; ++i) {
      __m512i& c1 = t1.column[i + j + 2 - kLimbs];
      __m512i& c2 = t2.column[i + j + 2 - kLimbs];
      c1 = _mm512_madd52hi_epu64(c1, x.first.limb[i], y1);
      c2 = _mm512_madd52hi_epu64(c2, x.second.limb[i], y2);
    }
  }
  return {drop_lowest(t1), drop_lowest(t2)};
}

/// x·w mod r for two sums below 2^260 and their constants, below 2.001r modulo 2^260, not carried.
template <class W1, class Q1, class W2, class Q2>
BELFRY_LANES Two times_constants(const Two& sums, const W1& w1, const Q1& quotient1, const W2& w2,
                                 const Q2& quotient2) noexcept {
  const Two x{settle(sums.first), settle(sums.second)};
  const Two q = high_product(x, quotient1, quotient2);
  Two t;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    t.first.limb[i] = t.second.limb[i] = _mm512_setzero_si512();
  }
  add_low_product(t, x, w1, w2);
  constexpr Broadcast kNegatedModulus{FrLaneParams::kNegatedModulus};
  add_low_product(t, q, kNegatedModulus, kNegatedModulus);
  return t;
}

/// x - q·r, with the estimate q of x / r from x's top limb: below 1.4r for any sum below 32r, not
/// carried.
BELFRY_LANES FrLimbs reduce_sum(const FrLimbs& sum) noexcept {
  FrLimbs x = field::carry<FrLaneParams, true>(sum);
  const __m512i q = _mm512_madd52hi_epu64(_mm512_setzero_si512(), x.limb[kLimbs - 1],
                                          field::lanes_of(FrLaneParams::kQuotient));
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    const __m512i n = field::lanes_of(FrLaneParams::kNegatedModulus[i]);
    x.limb[i] = _mm512_madd52lo_epu64(x.limb[i], q, n);
    if (i + 1 < kLimbs) x.limb[i + 1] = _mm512_madd52hi_epu64(x.limb[i + 1], q, n);
  }
  return x;
}
/// The representative in [0, r) of a sum below 32r.
BELFRY_LANES FrLimbs canonical(const FrLimbs& sum) noexcept {
  return field::reduce_once(field::carry<FrLaneParams, true>(reduce_sum(sum)), 1);
}

/// The constant of x·2^256 mod r below 32r.
BELFRY_LANES LaneConstant to_lane_constant(const FrLimbs& x) noexcept {
  constexpr std::uint64_t kUnit[kLimbs] = {16};  // 2^-256 = 2^4 · 2^-260
  const FrLimbs w =
      field::reduce_once(field::montgomery(x, field::lanes_constant<FrLaneParams>(kUnit)), 1);
  // w·2^260 = w'·r + s with s = w·2^260 mod r, so w' = -s/r mod 2^260.
  const FrLimbs s = field::reduce_once(
      field::montgomery(x, field::lanes_constant<FrLaneParams>(FrLaneParams::kToLane)), 1);
  Two quotient;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    quotient.first.limb[i] = quotient.second.limb[i] = _mm512_setzero_si512();
  }
  constexpr Broadcast kFactor{kNegatedInverse.limb};
  add_low_product(quotient, {s, s}, kFactor, kFactor);
  return {w, field::carry<FrLaneParams, true>(quotient.first)};
}

/// Two elements in one register.
BELFRY_LANES __m512i load_pair(const std::uint64_t* first, const std::uint64_t* second) noexcept {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second));
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
BELFRY_LANES void store_pair(std::uint64_t* first, std::uint64_t* second, __m512i pair) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(first), _mm512_castsi512_si256(pair));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(second), _mm512_extracti64x4_epi64(pair, 1));
}

}  // namespace
}  // namespace belfry::ntt
