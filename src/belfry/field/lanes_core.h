#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "belfry/field/lanes_gen.h"

#if !defined(__AVX512IFMA__) || !defined(__AVX512DQ__) || !defined(__AVX512VL__)
#error "only for sources that belfry_isa() compiles with BELFRY_IFMA_FLAGS"
#endif

// Everything below has internal linkage or is always inlined: an inline function that is emitted
// here with AVX-512 instructions must never be the copy that the linker keeps for portable code.
#define BELFRY_LANES [[gnu::always_inline]] inline

namespace belfry::field {
namespace {

constexpr std::size_t kLanes = 8;
constexpr unsigned kLaneRadix = 52;
constexpr __mmask8 kAllLanes = 0xff;

/// Eight integers, one per 64-bit lane, in `P::kLimbs` limbs of radix 2^52. Limbs are *carried* if
/// each is in [0, 2^52); sums and differences leave them signed and wider until carry().
template <class P>
struct LaneLimbs {
  __m512i limb[P::kLimbs];
};

BELFRY_LANES __m512i lanes_of(std::uint64_t value) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(value));
}
BELFRY_LANES __m512i lane_mask() noexcept { return lanes_of((std::uint64_t{1} << kLaneRadix) - 1); }

template <class P>
BELFRY_LANES LaneLimbs<P> lanes_constant(const std::uint64_t (&value)[P::kLimbs]) noexcept {
  LaneLimbs<P> out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) out.limb[i] = lanes_of(value[i]);
  return out;
}

/// Moves what exceeds 52 bits (or is negative) into the next limb; the value must be in
/// [0, 2^(52·kLimbs)), or is taken modulo that if `Wrap`.
template <class P, bool Wrap = false>
BELFRY_LANES LaneLimbs<P> carry(LaneLimbs<P> x) noexcept {
  const __m512i mask = lane_mask();
#pragma GCC unroll 8
  for (std::size_t i = 0; i + 1 < P::kLimbs; ++i) {
    x.limb[i + 1] = _mm512_add_epi64(x.limb[i + 1], _mm512_srai_epi64(x.limb[i], kLaneRadix));
    x.limb[i] = _mm512_and_si512(x.limb[i], mask);
  }
  if constexpr (Wrap) x.limb[P::kLimbs - 1] = _mm512_and_si512(x.limb[P::kLimbs - 1], mask);
  return x;
}

template <class P>
BELFRY_LANES LaneLimbs<P> add_limbs(const LaneLimbs<P>& a, const LaneLimbs<P>& b) noexcept {
  LaneLimbs<P> out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) out.limb[i] = _mm512_add_epi64(a.limb[i], b.limb[i]);
  return out;
}
/// a - b + multiple·p, limb by limb. `multiple` is small enough for multiple·2^52 < 2^62.
template <class P>
BELFRY_LANES LaneLimbs<P> subtract_limbs(const LaneLimbs<P>& a, const LaneLimbs<P>& b,
                                         std::uint64_t multiple) noexcept {
  LaneLimbs<P> out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    const __m512i shifted = _mm512_add_epi64(a.limb[i], lanes_of(multiple * P::kModulus[i]));
    out.limb[i] = _mm512_sub_epi64(shifted, b.limb[i]);
  }
  return out;
}

/// t += a·b for one limb b of the second factor.
template <class P>
BELFRY_LANES void add_row(__m512i* t, const LaneLimbs<P>& a, __m512i b) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    t[i] = _mm512_madd52lo_epu64(t[i], a.limb[i], b);
    t[i + 1] = _mm512_madd52hi_epu64(t[i + 1], a.limb[i], b);
  }
}
/// The m in [0, 2^52) that makes t[0] + m·p a multiple of 2^52.
template <class P>
BELFRY_LANES __m512i quotient_digit(__m512i lowest) noexcept {
  return _mm512_madd52lo_epu64(_mm512_setzero_si512(), lowest, lanes_of(P::kInverse));
}
/// t += m·p, after which t[0] is spent: its carry is in t[1]. What the next digit waits for is
/// kept short: the three terms of t[1] are computed side by side.
template <class P>
BELFRY_LANES void cancel_lowest(__m512i* t, __m512i m) noexcept {
  const __m512i p0 = lanes_of(P::kModulus[0]);
  const __m512i up = _mm512_srli_epi64(_mm512_madd52lo_epu64(t[0], m, p0), kLaneRadix);
  const __m512i high = _mm512_madd52hi_epu64(_mm512_setzero_si512(), m, p0);
  const __m512i low = _mm512_madd52lo_epu64(t[1], m, lanes_of(P::kModulus[1]));
  t[1] = _mm512_add_epi64(_mm512_add_epi64(low, high), up);
  t[2] = _mm512_madd52hi_epu64(t[2], m, lanes_of(P::kModulus[1]));
#pragma GCC unroll 8
  for (std::size_t i = 2; i < P::kLimbs; ++i) {
    t[i] = _mm512_madd52lo_epu64(t[i], m, lanes_of(P::kModulus[i]));
    t[i + 1] = _mm512_madd52hi_epu64(t[i + 1], m, lanes_of(P::kModulus[i]));
  }
}
template <class P>
BELFRY_LANES LaneLimbs<P> carry_upper_half(const __m512i (&t)[2 * P::kLimbs]) noexcept {
  LaneLimbs<P> out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) out.limb[i] = t[P::kLimbs + i];
  return carry(out);
}

/// a·b / 2^(52·kLimbs) modulo p for carried a and b: the result is carried and below
/// p·(1 + a·b / (p·2^(52·kLimbs))).
///
/// Source: Montgomery multiplication, operand scanning; carries stay in the 64-bit lanes. Row i + 1
/// of the product is added before digit i is cancelled, so that the chain of digits (10 cycles
/// each on Zen 5) is shorter than the multiplications of a row take.
template <class P>
BELFRY_LANES LaneLimbs<P> montgomery(const LaneLimbs<P>& a, const LaneLimbs<P>& b) noexcept {
  __m512i t[2 * P::kLimbs];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 2 * P::kLimbs; ++i) t[i] = _mm512_setzero_si512();
  add_row(t, a, b.limb[0]);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    const __m512i m = quotient_digit<P>(t[i]);
    if (i + 1 < P::kLimbs) add_row(t + i + 1, a, b.limb[i + 1]);
    cancel_lowest<P>(t + i, m);
  }
  return carry_upper_half<P>(t);
}

/// (a·b + c·d) / 2^(52·kLimbs) modulo p: two products, one reduction.
template <class P>
BELFRY_LANES LaneLimbs<P> montgomery_sum(const LaneLimbs<P>& a, const LaneLimbs<P>& b,
                                         const LaneLimbs<P>& c, const LaneLimbs<P>& d) noexcept {
  __m512i t[2 * P::kLimbs];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 2 * P::kLimbs; ++i) t[i] = _mm512_setzero_si512();
  add_row(t, a, b.limb[0]);
  add_row(t, c, d.limb[0]);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    const __m512i m = quotient_digit<P>(t[i]);
    if (i + 1 < P::kLimbs) {
      add_row(t + i + 1, a, b.limb[i + 1]);
      add_row(t + i + 1, c, d.limb[i + 1]);
    }
    cancel_lowest<P>(t + i, m);
  }
  return carry_upper_half<P>(t);
}

/// Row r of the products a[i]·a[j] with i < j, into sums by column.
template <class P>
BELFRY_LANES void add_half_row(__m512i* x, const LaneLimbs<P>& a, std::size_t r) noexcept {
#pragma GCC unroll 8
  for (std::size_t j = r + 1; j < P::kLimbs; ++j) {
    x[r + j] = _mm512_madd52lo_epu64(x[r + j], a.limb[r], a.limb[j]);
    x[r + j + 1] = _mm512_madd52hi_epu64(x[r + j + 1], a.limb[r], a.limb[j]);
  }
}
/// t[k] += column k of a²: twice the products off the diagonal, and the half of a square.
template <class P>
BELFRY_LANES void add_square_column(__m512i* t, const __m512i* x, const LaneLimbs<P>& a,
                                    std::size_t k) noexcept {
  const __m512i limb = a.limb[k / 2];
  t[k] = _mm512_add_epi64(t[k], _mm512_add_epi64(x[k], x[k]));
  t[k] = k % 2 == 0 ? _mm512_madd52lo_epu64(t[k], limb, limb)
                    : _mm512_madd52hi_epu64(t[k], limb, limb);
}

/// a² / 2^(52·kLimbs) modulo p, bounds as in montgomery(a, a). The products off the diagonal are
/// summed once and doubled. Columns 2r + 1 and 2r + 2 are complete after row r, so that rows and
/// digits alternate as in montgomery().
template <class P>
BELFRY_LANES LaneLimbs<P> montgomery_square(const LaneLimbs<P>& a) noexcept {
  constexpr std::size_t kLimbs = P::kLimbs;
  __m512i t[2 * kLimbs];
  __m512i x[2 * kLimbs];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 2 * kLimbs; ++i) t[i] = x[i] = _mm512_setzero_si512();
  add_half_row(x, a, 0);
  add_square_column(t, x, a, 0);
  add_square_column(t, x, a, 1);
  add_square_column(t, x, a, 2);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLimbs; ++i) {
    const __m512i m = quotient_digit<P>(t[i]);
    if (i + 2 < kLimbs) {
      add_half_row(x, a, i + 1);
      add_square_column(t, x, a, 2 * i + 3);
      add_square_column(t, x, a, 2 * i + 4);
    }
    if (i + 2 == kLimbs) add_square_column(t, x, a, 2 * kLimbs - 1);
    cancel_lowest<P>(t + i, m);
  }
  return carry_upper_half<P>(t);
}

/// x - q·p with the estimate q of floor(x/p) from the top limb, never too large. For carried
/// x < 32p the result is carried and below 1.32p (Fr) or 1.0001p (Fp).
template <class P>
BELFRY_LANES LaneLimbs<P> reduce_estimated(const LaneLimbs<P>& x) noexcept {
  constexpr std::size_t kTop = P::kLimbs - 1;
  const __m512i q =
      _mm512_madd52hi_epu64(_mm512_setzero_si512(), x.limb[kTop], lanes_of(P::kQuotient));
  LaneLimbs<P> out = x;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    const __m512i n = lanes_of(P::kNegatedModulus[i]);
    out.limb[i] = _mm512_madd52lo_epu64(out.limb[i], q, n);
    if (i < kTop) out.limb[i + 1] = _mm512_madd52hi_epu64(out.limb[i + 1], q, n);
  }
  return carry<P, true>(out);
}

/// The same for sums that are not carried yet, in [p/2, 7p], from limbs in [-2^54, 2^55): the
/// quotient comes from a top limb that is a few units too small, so it is never too large; its
/// multiple of p is looked up. Cheaper by a third than carrying first.
template <class P>
BELFRY_LANES LaneLimbs<P> reduce_sum(const LaneLimbs<P>& x) noexcept {
  constexpr std::size_t kTop = P::kLimbs - 1;
  constexpr std::uint64_t kMargin = 8;
  const __m512i top =
      _mm512_add_epi64(x.limb[kTop], _mm512_srai_epi64(x.limb[kTop - 1], kLaneRadix));
  const __m512i safe = _mm512_sub_epi64(top, lanes_of(kMargin));
  const __m512i q = _mm512_madd52hi_epu64(_mm512_setzero_si512(), safe, lanes_of(P::kQuotient));
  LaneLimbs<P> out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    const __m512i multiple = _mm512_permutexvar_epi64(q, _mm512_loadu_si512(P::kMultiples[i]));
    out.limb[i] = _mm512_sub_epi64(x.limb[i], multiple);
  }
  return carry(out);
}

/// Takes carried x < 2·multiple·p to x mod multiple·p by one conditional subtraction.
template <class P>
BELFRY_LANES LaneLimbs<P> reduce_once(const LaneLimbs<P>& x, std::uint64_t multiple) noexcept {
  LaneLimbs<P> reduced;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    reduced.limb[i] = _mm512_sub_epi64(x.limb[i], lanes_of(multiple * P::kModulus[i]));
  }
  reduced = carry(reduced);
  const __mmask8 negative = _mm512_movepi64_mask(reduced.limb[P::kLimbs - 1]);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    reduced.limb[i] = _mm512_mask_mov_epi64(reduced.limb[i], negative, x.limb[i]);
  }
  return reduced;
}

/// 64-bit words, word i of all lanes in words[i], to carried limbs.
template <class P>
BELFRY_LANES LaneLimbs<P> split_words(const __m512i (&words)[P::kWords]) noexcept {
  constexpr unsigned kWordBits = 64;
  LaneLimbs<P> out;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kLimbs; ++i) {
    const std::size_t word = kLaneRadix * i / kWordBits;
    const unsigned shift = static_cast<unsigned>(kLaneRadix * i % kWordBits);
    if (word >= P::kWords) {
      out.limb[i] = _mm512_setzero_si512();
      continue;
    }
    __m512i limb = _mm512_srli_epi64(words[word], shift);
    if (shift + kLaneRadix > kWordBits && word + 1 < P::kWords) {
      limb = _mm512_or_si512(limb, _mm512_slli_epi64(words[word + 1], kWordBits - shift));
    }
    out.limb[i] = _mm512_and_si512(limb, lane_mask());
  }
  return out;
}
/// Limb `index` shifted up, or nothing if it begins beyond the word or there is no such limb.
template <class P>
BELFRY_LANES __m512i or_limb(__m512i word, const LaneLimbs<P>& x, std::size_t index,
                             unsigned shift) noexcept {
  constexpr unsigned kWordBits = 64;
  if (shift >= kWordBits || index >= P::kLimbs) return word;
  return _mm512_or_si512(word, _mm512_slli_epi64(x.limb[index], shift));
}
/// The inverse of split_words for values below 2^(64·kWords).
template <class P>
BELFRY_LANES void join_limbs(const LaneLimbs<P>& x, __m512i (&words)[P::kWords]) noexcept {
  constexpr unsigned kWordBits = 64;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < P::kWords; ++i) {
    const std::size_t limb = kWordBits * i / kLaneRadix;
    const unsigned shift = static_cast<unsigned>(kWordBits * i - kLaneRadix * limb);
    const __m512i word = _mm512_srli_epi64(x.limb[limb], shift);
    words[i] = or_limb(or_limb(word, x, limb + 1, kLaneRadix - shift), x, limb + 2,
                       2 * kLaneRadix - shift);
  }
}

}  // namespace
}  // namespace belfry::field
