#pragma once

#include "belfry/field/lanes_core.h"

/// Eight elements of Fp at a time with AVX-512 IFMA (8 limbs of 52 bits).
///
/// Include it only from sources that belfry_isa() compiles with BELFRY_IFMA_FLAGS; fr_lanes.h says
/// what such a source must avoid.
///
/// Elements are in *lane form*, x·2^416 mod p, because a product of two of them needs no shift;
/// fp_from_portable and fp_to_portable cost a multiplication each. 35 spare bits make reductions
/// rare: a value has a bound, a multiple of p, a product of values with bounds A and B is below
/// p·(1 + A·B/2^35), and sums are only carried before they are multiplied.
namespace belfry::field {
namespace {

/// Eight elements x·2^416 mod p, carried, below the bound that each function states.
struct FpLanes {
  LaneLimbs<FpLaneParams> x;
};
/// Sums that are not yet carried; may be negative until a multiple of p is added.
struct FpSum {
  LaneLimbs<FpLaneParams> x;
};

/// The stored form of one coordinate: the 8 carried limbs of one element, 64 bytes.
constexpr std::size_t kFpStride = 64;

BELFRY_LANES FpLanes fp_carry(const FpSum& a) noexcept { return {carry(a.x)}; }
BELFRY_LANES FpLanes fp_constant(const std::uint64_t (&value)[FpLaneParams::kLimbs]) noexcept {
  return {lanes_constant<FpLaneParams>(value)};
}
BELFRY_LANES FpLanes fp_one() noexcept { return fp_constant(FpLaneParams::kOne); }

/// a + b; the bounds add.
BELFRY_LANES FpSum fp_add(const FpLanes& a, const FpLanes& b) noexcept {
  return {add_limbs(a.x, b.x)};
}
BELFRY_LANES FpSum fp_add(const FpSum& a, const FpLanes& b) noexcept {
  return {add_limbs(a.x, b.x)};
}
/// a - b + multiple·p: not negative if b is below multiple·p. The multiple is at most 64.
BELFRY_LANES FpSum fp_sub(const FpLanes& a, const FpLanes& b, std::uint64_t multiple) noexcept {
  return {subtract_limbs(a.x, b.x, multiple)};
}
BELFRY_LANES FpSum fp_sub(const FpSum& a, const FpLanes& b, std::uint64_t multiple) noexcept {
  return {subtract_limbs(a.x, b.x, multiple)};
}
/// a·b; below 1.0001p for bounds whose product is below 2^21.
BELFRY_LANES FpLanes fp_mul(const FpLanes& a, const FpLanes& b) noexcept {
  return {montgomery(a.x, b.x)};
}
/// a·b + c·d with one reduction; bounds as for a sum of two products.
BELFRY_LANES FpLanes fp_mul_add(const FpLanes& a, const FpLanes& b, const FpLanes& c,
                                const FpLanes& d) noexcept {
  return {montgomery_sum(a.x, b.x, c.x, d.x)};
}
/// a²; the same bound, four fifths of the cost.
BELFRY_LANES FpLanes fp_square(const FpLanes& a) noexcept { return {montgomery_square(a.x)}; }

/// Brings a value below 32p under 1.0001p, or takes one below 2p to [0, p).
BELFRY_LANES FpLanes fp_reduce(const FpSum& a) noexcept { return {reduce_estimated(carry(a.x))}; }
/// The same for a sum in [p/2, 7p]: cheaper.
BELFRY_LANES FpLanes fp_reduce_sum(const FpSum& a) noexcept { return {reduce_sum(a.x)}; }
BELFRY_LANES FpLanes fp_canonical(const FpLanes& a) noexcept { return {reduce_once(a.x, 1)}; }

/// Lanes whose value, below 2p, is zero modulo p.
BELFRY_LANES __mmask8 fp_zero_mask(const FpLanes& a) noexcept {
  const FpLanes reduced = fp_canonical(a);
  __m512i any = reduced.x.limb[0];
#pragma GCC unroll 8
  for (std::size_t i = 1; i < FpLaneParams::kLimbs; ++i) {
    any = _mm512_or_si512(any, reduced.x.limb[i]);
  }
  return _mm512_testn_epi64_mask(any, any);
}
/// b in the lanes of the mask, a elsewhere.
BELFRY_LANES FpLanes fp_select(const FpLanes& a, const FpLanes& b, __mmask8 mask) noexcept {
  FpLanes out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
    out.x.limb[i] = _mm512_mask_mov_epi64(a.x.limb[i], mask, b.x.limb[i]);
  }
  return out;
}

/// k·p - a in the lanes of the mask, a elsewhere.
BELFRY_LANES FpSum fp_negate(const FpLanes& a, __mmask8 mask, std::uint64_t multiple) noexcept {
  FpSum out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
    out.x.limb[i] = _mm512_mask_sub_epi64(
        a.x.limb[i], mask, lanes_of(multiple * FpLaneParams::kModulus[i]), a.x.limb[i]);
  }
  return out;
}

/// x·2^384 to x·2^416 and back, for values below 2^9·p; the results are below 1.0001p.
BELFRY_LANES FpLanes fp_from_portable(const FpLanes& a) noexcept {
  return fp_mul(a, fp_constant(FpLaneParams::kToLane));
}
BELFRY_LANES FpLanes fp_to_portable(const FpLanes& a) noexcept {
  return fp_mul(a, fp_constant(FpLaneParams::kToPortable));
}

/// Exchanges lanes and limbs: element j of out[i] is element i of in[j].
BELFRY_LANES void transpose(const __m512i (&in)[8], __m512i (&out)[8]) noexcept {
  __m512i pair[8];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 8; i += 2) {
    pair[i] = _mm512_unpacklo_epi64(in[i], in[i + 1]);
    pair[i + 1] = _mm512_unpackhi_epi64(in[i], in[i + 1]);
  }
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  __m512i quad[8];
#pragma GCC unroll 2
  for (std::size_t i = 0; i < 8; i += 4) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < 2; ++k) {
      quad[i + k] = _mm512_permutex2var_epi64(pair[i + k], low, pair[i + k + 2]);
      quad[i + k + 2] = _mm512_permutex2var_epi64(pair[i + k], high, pair[i + k + 2]);
    }
  }
  constexpr int kLowHalves = 0x44;
  constexpr int kHighHalves = 0xee;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = _mm512_shuffle_i64x2(quad[i], quad[i + 4], kLowHalves);
    out[i + 4] = _mm512_shuffle_i64x2(quad[i], quad[i + 4], kHighHalves);
  }
}

/// Element i from 64 bytes of carried limbs at from[i], any alignment.
BELFRY_LANES FpLanes fp_gather(const std::byte* const (&from)[8]) noexcept {
  __m512i rows[8];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) rows[i] = _mm512_loadu_si512(from[i]);
  FpLanes out;
  transpose(rows, out.x.limb);
  return out;
}
BELFRY_LANES void fp_scatter(std::byte* const (&to)[8], const FpLanes& a) noexcept {
  __m512i rows[8];
  transpose(a.x.limb, rows);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) _mm512_storeu_si512(to[i], rows[i]);
}

/// Element i from six 64-bit words (a portable Fp) at from[i]; the form is left as it is.
BELFRY_LANES FpLanes fp_gather_words(const std::byte* const (&from)[8]) noexcept {
  constexpr __mmask8 kSixWords = 0x3f;
  __m512i rows[8];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) rows[i] = _mm512_maskz_loadu_epi64(kSixWords, from[i]);
  __m512i columns[8];
  transpose(rows, columns);
  const __m512i words[FpLaneParams::kWords] = {columns[0], columns[1], columns[2],
                                               columns[3], columns[4], columns[5]};
  return {split_words<FpLaneParams>(words)};
}
BELFRY_LANES void fp_scatter_words(std::byte* const (&to)[8], const FpLanes& a) noexcept {
  constexpr __mmask8 kSixWords = 0x3f;
  __m512i words[FpLaneParams::kWords];
  join_limbs(a.x, words);
  const __m512i columns[8] = {words[0],
                              words[1],
                              words[2],
                              words[3],
                              words[4],
                              words[5],
                              _mm512_setzero_si512(),
                              _mm512_setzero_si512()};
  __m512i rows[8];
  transpose(columns, rows);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) _mm512_mask_storeu_epi64(to[i], kSixWords, rows[i]);
}

/// Element i from the 48 bytes at from[i], a big-endian integer as it stands (below 2^384).
BELFRY_LANES FpLanes fp_gather_big_endian(const std::byte* const (&from)[8],
                                          std::uint8_t top_mask) noexcept {
  constexpr __mmask8 kSixWords = 0x3f;
  // Words in reverse order, then bytes within each word.
  const __m512i words = _mm512_setr_epi64(5, 4, 3, 2, 1, 0, 6, 7);
  const __m512i bytes = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
  __m512i rows[8];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i) {
    const __m512i raw = _mm512_maskz_loadu_epi64(kSixWords, from[i]);
    rows[i] = _mm512_shuffle_epi8(_mm512_permutexvar_epi64(words, raw), bytes);
  }
  __m512i columns[8];
  transpose(rows, columns);
  constexpr unsigned kTopByte = 56;
  const std::uint64_t keep = ~(std::uint64_t{static_cast<std::uint8_t>(~top_mask)} << kTopByte);
  const __m512i words_of[FpLaneParams::kWords] = {
      columns[0], columns[1], columns[2],
      columns[3], columns[4], _mm512_and_si512(columns[5], lanes_of(keep))};
  return {split_words<FpLaneParams>(words_of)};
}
/// Lanes whose carried integer is p or more.
BELFRY_LANES __mmask8 fp_out_of_range(const FpLanes& a) noexcept {
  LaneLimbs<FpLaneParams> difference;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < FpLaneParams::kLimbs; ++i) {
    difference.limb[i] = _mm512_sub_epi64(a.x.limb[i], lanes_of(FpLaneParams::kModulus[i]));
  }
  const __mmask8 below = _mm512_movepi64_mask(carry(difference).limb[FpLaneParams::kLimbs - 1]);
  return static_cast<__mmask8>(~below);
}

}  // namespace
}  // namespace belfry::field
