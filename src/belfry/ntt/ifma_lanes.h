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

/// t += x·y mod 2^260, limb by limb, not carried. `limb(j)` is limb j of y in all lanes.
template <class Limb>
BELFRY_LANES void add_low_product(FrLimbs& t, const FrLimbs& x, const Limb& limb) noexcept {
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kLimbs; ++j) {
    const __m512i y = limb(j);
#pragma GCC unroll 8
    for (std::size_t i = 0; i + j < kLimbs; ++i) {
      t.limb[i + j] = _mm512_madd52lo_epu64(t.limb[i + j], x.limb[i], y);
      if (i + j + 1 < kLimbs) {
        t.limb[i + j + 1] = _mm512_madd52hi_epu64(t.limb[i + j + 1], x.limb[i], y);
      }
    }
  }
}

/// floor(x·y / 2^260) or one less: columns below the fourth are left out.
template <class Limb>
BELFRY_LANES FrLimbs high_product(const FrLimbs& x, const Limb& limb) noexcept {
  __m512i t[kLimbs + 1];  // columns 4 .. 9
#pragma GCC unroll 8
  for (std::size_t i = 0; i <= kLimbs; ++i) t[i] = _mm512_setzero_si512();
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kLimbs; ++j) {
    const __m512i y = limb(j);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLimbs; ++i) {
      if (i + j + 1 >= kLimbs) {
        const std::size_t column = i + j + 1 - kLimbs;
        t[column] = _mm512_madd52lo_epu64(t[column], x.limb[i], y);
      }
      if (i + j + 2 >= kLimbs) {
        const std::size_t column = i + j + 2 - kLimbs;
        t[column] = _mm512_madd52hi_epu64(t[column], x.limb[i], y);
      }
    }
  }
  FrLimbs out;
  t[1] = _mm512_add_epi64(t[1], _mm512_srli_epi64(t[0], field::kLaneRadix));
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) out.limb[i] = t[i + 1];
  return field::carry(out);
}

/// x·w mod r, below 2.001r modulo 2^260, not carried.
template <class Limb, class QuotientLimb>
BELFRY_LANES FrLimbs times_constant(const FrLimbs& x, const Limb& w,
                                    const QuotientLimb& quotient) noexcept {
  const FrLimbs q = high_product(x, quotient);
  FrLimbs t;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) t.limb[i] = _mm512_setzero_si512();
  add_low_product(t, x, w);
  add_low_product(t, q, Broadcast{FrLaneParams::kNegatedModulus});
  return t;
}

/// The constant of x·2^256 mod r below 32r.
BELFRY_LANES LaneConstant to_lane_constant(const FrLimbs& x) noexcept {
  constexpr std::uint64_t kUnit[kLimbs] = {16};  // 2^-256 = 2^4 · 2^-260
  LaneConstant out{
      field::reduce_once(field::montgomery(x, field::lanes_constant<FrLaneParams>(kUnit)), 1), {}};
  // w·2^260 = w'·r + s with s = w·2^260 mod r, so w' = -s/r mod 2^260.
  const FrLimbs s = field::reduce_once(
      field::montgomery(x, field::lanes_constant<FrLaneParams>(FrLaneParams::kToLane)), 1);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) out.quotient.limb[i] = _mm512_setzero_si512();
  add_low_product(out.quotient, s, Broadcast{kNegatedInverse.limb});
  out.quotient = field::carry<FrLaneParams, true>(out.quotient);
  return out;
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
