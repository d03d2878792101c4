// Compiled for the SHA extensions: only raw pointers and intrinsics here, so that no inline
// function of this file can stand in for the portable one of another.
#include "belfry/hash/sha256_kernels.h"

#if defined(__SHA__) && defined(__SSE4_1__)
#include <cpuid.h>
#include <immintrin.h>

namespace belfry::hash::detail {
namespace {

/// Two vectors: the instructions want the words as (a b e f) and (c d g h), highest first.
struct Halves {
  __m128i abef;
  __m128i cdgh;
};

inline __m128i load(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

inline Halves load_state(const std::uint32_t* state) {
  const __m128i badc = _mm_shuffle_epi32(load(state), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(load(state + 4), 0x1b);
  return {_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xf0)};
}

inline void store_state(std::uint32_t* state, const Halves& h) {
  const __m128i feba = _mm_shuffle_epi32(h.abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(h.cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Four rounds with the sums w[i] + k[i] of four words.
inline void four_rounds(Halves& h, __m128i words_and_keys) {
  h.cdgh = _mm_sha256rnds2_epu32(h.cdgh, h.abef, words_and_keys);
  h.abef = _mm_sha256rnds2_epu32(h.abef, h.cdgh, _mm_shuffle_epi32(words_and_keys, 0x0e));
}

/// The four schedule words after the sixteen in w0..w3.
inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3) {
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
  return _mm_sha256msg2_epu32(sum, w3);
}

void compress(Halves& h, const std::uint8_t* block, const std::uint32_t* keys) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i w[4];
  for (int i = 0; i < 4; ++i) {
    w[i] = _mm_shuffle_epi8(load(block + 16 * i), big_endian);
    four_rounds(h, _mm_add_epi32(w[i], load(keys + 4 * i)));
  }
  for (int i = 4; i < 16; ++i) {
    const __m128i words = next_words(w[i & 3], w[(i + 1) & 3], w[(i + 2) & 3], w[(i + 3) & 3]);
    w[i & 3] = words;
    four_rounds(h, _mm_add_epi32(words, load(keys + 4 * i)));
  }
}

}  // namespace

void sha256_blocks_sha_ni(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count) {
  const std::uint32_t* keys = sha256_keys();
  Halves h = load_state(state);
  for (std::size_t i = 0; i < count; ++i) {
    const Halves before = h;
    compress(h, blocks + 64 * i, keys);
    h = {_mm_add_epi32(h.abef, before.abef), _mm_add_epi32(h.cdgh, before.cdgh)};
  }
  store_state(state, h);
}

bool has_sha_ni() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  constexpr unsigned kShaBit = 29;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  if (((ebx >> kShaBit) & 1) == 0) return false;
  return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
}

}  // namespace belfry::hash::detail

#else

namespace belfry::hash::detail {

void sha256_blocks_sha_ni(std::uint32_t* /*state*/, const std::uint8_t* /*blocks*/,
                          std::size_t /*count*/) {}
bool has_sha_ni() noexcept { return false; }

}  // namespace belfry::hash::detail

#endif
