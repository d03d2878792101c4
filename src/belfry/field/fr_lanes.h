#pragma once

#include "belfry/field/lanes_core.h"

/// Eight elements of Fr at a time with AVX-512 IFMA (5 limbs of 52 bits).
///
/// Include it only from sources that belfry_isa() compiles with BELFRY_IFMA_FLAGS, and read the
/// warning there: such a source must not define or instantiate inline functions of others (std
/// containers, Fr::operator*); take raw pointers, write loops, and keep helpers in an anonymous
/// namespace.
///
/// How to use it (a butterfly x' = x + w·y, y' = x - w·y):
///
///     FrLanes x = fr_load(px), y = fr_load(py);        // 8 consecutive portable Fr each
///     const FrLanes t = fr_mul(y, w);                  // w is a PreparedFr; t < 2r
///     fr_store(px, fr_reduce(fr_add(x, t)));           // sums are carried by whoever reads them
///     fr_store(py, fr_reduce(fr_sub(x, t)));
///
/// Elements keep the portable Montgomery form (x·2^256). Every value has a bound, a multiple of r:
/// up to 32r fit. A chain of additions needs no reduction as long as bounds stay below; each
/// fr_mul takes its first factor back below 2r.
namespace belfry::field {
namespace {

/// Eight elements x·2^256 mod r, carried, below the bound that each function states.
struct FrLanes {
  LaneLimbs<FrLaneParams> x;
};
/// Eight sums that are not yet carried: what fr_add and fr_sub return, what fr_mul accepts.
struct FrSum {
  LaneLimbs<FrLaneParams> x;
};
/// A second factor x·2^260 mod r, carried, below 2r. Its product with a portable form is again
/// portable, so a table of these costs nothing per multiplication.
struct PreparedFr {
  LaneLimbs<FrLaneParams> x;
};

BELFRY_LANES FrLanes fr_carry(const FrSum& a) noexcept { return {carry(a.x)}; }

/// a + b; the bounds add.
BELFRY_LANES FrSum fr_add(const FrLanes& a, const FrLanes& b) noexcept {
  return {add_limbs(a.x, b.x)};
}
/// a - b + 2r for b below 2r; the bound is a's plus 2r.
BELFRY_LANES FrSum fr_sub(const FrLanes& a, const FrLanes& b) noexcept {
  return {subtract_limbs(a.x, b.x, 2)};
}
/// a·b for a below 32r; the result is below 2r (below 1.06r for a below 2r and b below r).
BELFRY_LANES FrLanes fr_mul(const FrLanes& a, const PreparedFr& b) noexcept {
  return {montgomery(a.x, b.x)};
}
BELFRY_LANES FrLanes fr_mul(const FrSum& a, const PreparedFr& b) noexcept {
  return {montgomery(carry(a.x), b.x)};
}
/// Prepares a, below 32r, as a second factor: one multiplication. The result is below 2r.
BELFRY_LANES PreparedFr fr_prepare(const FrLanes& a) noexcept {
  return {montgomery(a.x, lanes_constant<FrLaneParams>(FrLaneParams::kToLane))};
}
/// a·b for two portable forms below 2r, without a prepared factor; the result is below 1.4r.
BELFRY_LANES FrLanes fr_mul(const FrLanes& a, const FrLanes& b) noexcept {
  constexpr unsigned kShift = kLaneRadix * FrLaneParams::kLimbs - 64 * FrLaneParams::kWords;
  LaneLimbs<FrLaneParams> shifted;
  shifted.limb[0] = _mm512_slli_epi64(a.x.limb[0], kShift);
#pragma GCC unroll 8
  for (std::size_t i = 1; i < FrLaneParams::kLimbs; ++i) {
    // The multiplier reads the low 52 bits of a limb only, so no mask is needed.
    shifted.limb[i] = _mm512_or_si512(_mm512_slli_epi64(a.x.limb[i], kShift),
                                      _mm512_srli_epi64(a.x.limb[i - 1], kLaneRadix - kShift));
  }
  return {reduce_estimated(montgomery(shifted, b.x))};
}
/// Brings a value below 32r under 1.32r: cheaper than a multiplication.
BELFRY_LANES FrLanes fr_reduce(const FrSum& a) noexcept { return {reduce_estimated(carry(a.x))}; }
BELFRY_LANES FrLanes fr_reduce(const FrLanes& a) noexcept { return {reduce_estimated(a.x)}; }
/// The representative in [0, r) of a value below 2r.
BELFRY_LANES FrLanes fr_canonical(const FrLanes& a) noexcept { return {reduce_once(a.x, 1)}; }

/// Word j of elements 0..7 in words[j], from a register for each pair of elements.
BELFRY_LANES void fr_transpose(__m512i a, __m512i b, __m512i c, __m512i d,
                               __m512i (&words)[4]) noexcept {
  const __m512i low = _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13);
  const __m512i high = _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15);
  const __m512i ab02 = _mm512_unpacklo_epi64(a, b);
  const __m512i ab13 = _mm512_unpackhi_epi64(a, b);
  const __m512i cd02 = _mm512_unpacklo_epi64(c, d);
  const __m512i cd13 = _mm512_unpackhi_epi64(c, d);
  words[0] = _mm512_permutex2var_epi64(ab02, low, cd02);
  words[1] = _mm512_permutex2var_epi64(ab13, low, cd13);
  words[2] = _mm512_permutex2var_epi64(ab02, high, cd02);
  words[3] = _mm512_permutex2var_epi64(ab13, high, cd13);
}
/// Word j of elements 0..7, from eight consecutive elements of four words each.
BELFRY_LANES void fr_load_words(const std::uint64_t* from, __m512i (&words)[4]) noexcept {
  fr_transpose(_mm512_loadu_si512(from), _mm512_loadu_si512(from + 8),
               _mm512_loadu_si512(from + 16), _mm512_loadu_si512(from + 3 * 8), words);
}
/// The inverse of fr_transpose: elements 2k and 2k + 1 in pairs[k].
BELFRY_LANES void fr_untranspose(const __m512i (&words)[4], __m512i (&pairs)[4]) noexcept {
  const __m512i first = _mm512_setr_epi64(0, 2, 8, 10, 1, 3, 9, 11);
  const __m512i second = _mm512_setr_epi64(4, 6, 12, 14, 5, 7, 13, 15);
  const __m512i ab02 = _mm512_permutex2var_epi64(words[0], first, words[2]);
  const __m512i ab13 = _mm512_permutex2var_epi64(words[1], first, words[3]);
  const __m512i cd02 = _mm512_permutex2var_epi64(words[0], second, words[2]);
  const __m512i cd13 = _mm512_permutex2var_epi64(words[1], second, words[3]);
  pairs[0] = _mm512_unpacklo_epi64(ab02, ab13);
  pairs[1] = _mm512_unpackhi_epi64(ab02, ab13);
  pairs[2] = _mm512_unpacklo_epi64(cd02, cd13);
  pairs[3] = _mm512_unpackhi_epi64(cd02, cd13);
}
BELFRY_LANES void fr_store_words(std::uint64_t* to, const __m512i (&words)[4]) noexcept {
  __m512i pairs[4];
  fr_untranspose(words, pairs);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) _mm512_storeu_si512(to + 8 * i, pairs[i]);
}

/// Eight consecutive elements (`Fr::limbs` back to back, any alignment) of up to 2^256.
BELFRY_LANES FrLanes fr_load(const std::uint64_t* from) noexcept {
  __m512i words[4];
  fr_load_words(from, words);
  return {split_words<FrLaneParams>(words)};
}
/// Eight consecutive elements, each below 2^256 (so below 2.2r): store fr_canonical values where
/// portable code reads them; a vector pass may store and load values below 2r.
BELFRY_LANES void fr_store(std::uint64_t* to, const FrLanes& a) noexcept {
  __m512i words[4];
  join_limbs(a.x, words);
  fr_store_words(to, words);
}
/// One element in all lanes.
BELFRY_LANES FrLanes fr_broadcast(const std::uint64_t* from) noexcept {
  __m512i words[4];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) words[i] = lanes_of(from[i]);
  return {split_words<FrLaneParams>(words)};
}
/// A table of prepared factors may be kept as words too: the same as fr_load and fr_broadcast,
/// but the values are x·2^260 mod r (fr_prepare, then fr_store).
BELFRY_LANES PreparedFr fr_load_prepared(const std::uint64_t* from) noexcept {
  return {fr_load(from).x};
}
BELFRY_LANES PreparedFr fr_broadcast_prepared(const std::uint64_t* from) noexcept {
  return {fr_broadcast(from).x};
}
BELFRY_LANES void fr_store_prepared(std::uint64_t* to, const PreparedFr& a) noexcept {
  fr_store(to, {a.x});
}

}  // namespace
}  // namespace belfry::field
