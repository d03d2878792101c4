#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/field/fr.h"

// What a worker of a tree transform does with the values that it holds (tree_core.h).
namespace belfry::ntt::core {

/// Levels of one step inside a pass: a worker holds 2^3 values.
inline constexpr unsigned kStepLog = 3;

/// The low `bits` <= 32 bits of `value` in reverse order.
BELFRY_HD constexpr std::uint32_t reverse_low_bits(std::uint32_t value, unsigned bits) noexcept {
  constexpr std::uint32_t kOfTwo = 0x55555555;  // the lower half of every two, four, ... bits
  constexpr std::uint32_t kOfFour = 0x33333333;
  constexpr std::uint32_t kOfEight = 0x0f0f0f0f;
  constexpr std::uint32_t kOfSixteen = 0x00ff00ff;
  value = ((value >> 1) & kOfTwo) | ((value & kOfTwo) << 1);
  value = ((value >> 2) & kOfFour) | ((value & kOfFour) << 2);
  value = ((value >> 4) & kOfEight) | ((value & kOfEight) << 4);
  value = ((value >> 8) & kOfSixteen) | ((value & kOfSixteen) << 8);
  const std::uint64_t reversed = (value >> 16) | (value << 16);
  return static_cast<std::uint32_t>(reversed >> (32 - bits));
}

/// An element of global memory, in two accesses of a device.
BELFRY_HD inline Fr load_element(const Fr* from) noexcept {
#ifdef __CUDA_ARCH__
  const auto* const halves = reinterpret_cast<const ulonglong2*>(from);
  const ulonglong2 low = halves[0];
  const ulonglong2 high = halves[1];
  return Fr{{low.x, low.y, high.x, high.y}};
#else
  return *from;
#endif
}
BELFRY_HD inline void store_element(Fr* to, const Fr& x) noexcept {
#ifdef __CUDA_ARCH__
  auto* const halves = reinterpret_cast<ulonglong2*>(to);
  halves[0] = {x.limbs[0], x.limbs[1]};
  halves[1] = {x.limbs[2], x.limbs[3]};
#else
  *to = x;
#endif
}

/// x·k / 2^32: what a word of a factor costs, an eighth of a product.
BELFRY_HD inline Fr times_word(const Fr& x, std::uint32_t k) noexcept {
#ifdef __CUDA_ARCH__
  using Words = field::device::Words<field::FrParams>;
  typename Words::Array words;
  typename Words::Array even;
  typename Words::Array odd;
  field::device::split(x.limbs, words);
#pragma unroll
  for (int j = 0; j < Words::kWords; j += 2) {
    const std::uint64_t e = std::uint64_t{words[j]} * k;
    const std::uint64_t o = std::uint64_t{words[j + 1]} * k;
    even[j] = static_cast<std::uint32_t>(e);
    even[j + 1] = static_cast<std::uint32_t>(e >> 32);
    odd[j] = static_cast<std::uint32_t>(o);
    odd[j + 1] = static_cast<std::uint32_t>(o >> 32);
  }
  Words::reduce_row(even, odd);
  field::device::add_cc(odd[0], even[1]);
#pragma unroll
  for (int j = 1; j < Words::kWords - 1; ++j) field::device::addc_cc(odd[j], even[j + 1]);
  field::device::addc(odd[Words::kWords - 1], 0);
  Words::reduce_once(odd);
  return Fr{field::device::join<Fr::Limbs>(odd)};
#else
  // k·2^-32 has the limbs k·2^224 mod r.
  return x * (Fr::from_u64(k) * Fr{{0, 0, 0, std::uint64_t{1} << 32}});
#endif
}

/// Half of a worker's values: the pairs of a level.
inline constexpr unsigned kPairs = 1U << (kStepLog - 1);

/// How a level moves values: pair k is taken from two places and goes to two places. Down from k
/// and k + 4 to 2k and 2k + 1, so that three levels lead every place back to itself; up the other
/// way.
template <bool kDown>
struct PairPlaces {
  BELFRY_HD static constexpr unsigned low(unsigned k) noexcept { return kDown ? k : 2 * k; }
  BELFRY_HD static constexpr unsigned high(unsigned k) noexcept {
    return kDown ? k + kPairs : 2 * k + 1;
  }
  BELFRY_HD static constexpr unsigned to_low(unsigned k) noexcept { return kDown ? 2 * k : k; }
  BELFRY_HD static constexpr unsigned to_high(unsigned k) noexcept {
    return kDown ? 2 * k + 1 : k + kPairs;
  }
};

/// A level without butterflies.
template <bool kDown>
BELFRY_HD void move_level(const Fr* x, Fr* y) noexcept {
  using Places = PairPlaces<kDown>;
  BELFRY_UNROLL
  for (unsigned k = 0; k < kPairs; ++k) {
    y[Places::to_low(k)] = x[Places::low(k)];
    y[Places::to_high(k)] = x[Places::high(k)];
  }
}
/// A level whose only twiddle is one, either way.
template <bool kDown>
BELFRY_HD void plain_level(const Fr* x, Fr* y) noexcept {
  using Places = PairPlaces<kDown>;
  BELFRY_UNROLL
  for (unsigned k = 0; k < kPairs; ++k) {
    y[Places::to_low(k)] = x[Places::low(k)] + x[Places::high(k)];
    y[Places::to_high(k)] = x[Places::low(k)] - x[Places::high(k)];
  }
}
/// One butterfly; `twiddle()` is asked unless it is one.
template <bool kDown, class Twiddle>
BELFRY_HD void butterfly(const Fr& low, const Fr& high, bool is_one, const Twiddle& twiddle,
                         Fr& to_low, Fr& to_high) noexcept {
  if constexpr (kDown) {
    Fr product = high;
    if (!is_one) product = product * twiddle();
    to_low = low + product;
    to_high = low - product;
  } else {
    to_low = low + high;
    to_high = low - high;
    if (!is_one) to_high = to_high * twiddle();
  }
}

/// Level `level` of butterflies; the places' lower bits, `level` of them, are the node.
template <bool kDown, class Twiddle>
BELFRY_HD void twiddled_level(const Fr* x, Fr* y, unsigned level, bool first_is_one,
                              const Twiddle& twiddle) noexcept {
  using Places = PairPlaces<kDown>;
  BELFRY_UNROLL
  for (unsigned j = 0; j < kPairs; ++j) {
    // Odd ones first: they never have a twiddle of one.
    const unsigned k = 2 * j + 1 < kPairs ? 2 * j + 1 : 2 * j - kPairs;
    const unsigned t = k & ((1U << level) - 1);
    butterfly<kDown>(
        x[Places::low(k)], x[Places::high(k)], k % 2 == 0 && first_is_one && t == 0,
        [&] { return twiddle(level, t, k >> level); }, y[Places::to_low(k)], y[Places::to_high(k)]);
  }
}

/// A step's levels on the 2^kStepLog values of one worker. All levels run the same instructions,
/// which keeps a kernel within the instruction cache (PairPlaces). Levels before `first_level` only
/// move values: then the upper bits of a place, as many, say which of several groups of rows it is
/// of.
///
/// `twiddle(level, t, group)` is that of node t of a level that counts from first_level, the group
/// in the lower bits, first_level of them; with `first_is_one` that of node 0 is one on each level.
template <bool kDown, class Twiddle>
BELFRY_HD void butterflies(Fr* x, unsigned first_level, bool first_is_one,
                           const Twiddle& twiddle) noexcept {
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (unsigned i = 0; i < kStepLog; ++i) {
    const unsigned place = kDown ? i : kStepLog - 1 - i;
    Fr y[2 * kPairs];  // NOLINT(modernize-avoid-c-arrays): registers of a device
    if (place < first_level) {
      move_level<kDown>(x, y);
    } else if (first_is_one && place == first_level) {
      plain_level<kDown>(x, y);
    } else {
      twiddled_level<kDown>(x, y, place - first_level, first_is_one, twiddle);
    }
    BELFRY_UNROLL
    for (unsigned k = 0; k < 2 * kPairs; ++k) x[k] = y[k];
  }
}

}  // namespace belfry::ntt::core
