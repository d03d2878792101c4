#include <immintrin.h>

#include <cstdint>

namespace belfry::cli::bench {

// Declared in peak.h, which is left out: this file must not share inline code with others.
std::uint64_t issue_vpmadd52(std::uint64_t iterations) noexcept;

std::uint64_t issue_vpmadd52(std::uint64_t iterations) noexcept {
  // Sixteen chains hide a latency of four cycles at up to four instructions a cycle.
  __m512i a0 = _mm512_set1_epi64(1);
  __m512i a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
  __m512i a8 = a0, a9 = a0, a10 = a0, a11 = a0, a12 = a0, a13 = a0, a14 = a0, a15 = a0;
  const __m512i x = _mm512_set1_epi64(static_cast<long long>(iterations));
  for (std::uint64_t i = 0; i < iterations; ++i) {
    a0 = _mm512_madd52lo_epu64(a0, x, x);
    a1 = _mm512_madd52lo_epu64(a1, x, x);
    a2 = _mm512_madd52lo_epu64(a2, x, x);
    a3 = _mm512_madd52lo_epu64(a3, x, x);
    a4 = _mm512_madd52lo_epu64(a4, x, x);
    a5 = _mm512_madd52lo_epu64(a5, x, x);
    a6 = _mm512_madd52lo_epu64(a6, x, x);
    a7 = _mm512_madd52lo_epu64(a7, x, x);
    a8 = _mm512_madd52lo_epu64(a8, x, x);
    a9 = _mm512_madd52lo_epu64(a9, x, x);
    a10 = _mm512_madd52lo_epu64(a10, x, x);
    a11 = _mm512_madd52lo_epu64(a11, x, x);
    a12 = _mm512_madd52lo_epu64(a12, x, x);
    a13 = _mm512_madd52lo_epu64(a13, x, x);
    a14 = _mm512_madd52lo_epu64(a14, x, x);
    a15 = _mm512_madd52lo_epu64(a15, x, x);
    // Keeps the compiler from folding equal chains into one.
    __asm__ volatile("" : "+v"(a0), "+v"(a1), "+v"(a2), "+v"(a3), "+v"(a4), "+v"(a5));
    __asm__ volatile("" : "+v"(a6), "+v"(a7), "+v"(a8), "+v"(a9), "+v"(a10), "+v"(a11));
    __asm__ volatile("" : "+v"(a12), "+v"(a13), "+v"(a14), "+v"(a15));
  }
  const __m512i low = _mm512_add_epi64(_mm512_add_epi64(a0, a1), _mm512_add_epi64(a2, a3));
  const __m512i high = _mm512_add_epi64(_mm512_add_epi64(a12, a13), _mm512_add_epi64(a14, a15));
  return static_cast<std::uint64_t>(
      _mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_add_epi64(low, high))));
}

}  // namespace belfry::cli::bench
