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
  value = ((value >> 1) & 0x55555555) | ((value & 0x55555555) << 1);
  value = ((value >> 2) & 0x33333333) | ((value & 0x33333333) << 2);
  value = ((value >> 4) & 0x0f0f0f0f) | ((value & 0x0f0f0f0f) << 4);
  value = ((value >> 8) & 0x00ff00ff) | ((value & 0x00ff00ff) << 8);
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

/// A step's levels on the 2^kStepLog values of one worker. All levels run the same instructions,
/// which keeps a kernel within the instruction cache: down, a level takes pairs of places k and
/// k + 4 to 2k and 2k + 1, so that after all levels, those without butterflies too, the places are
/// those of the start; up goes back. Levels before `first_level` only move values: then the upper
/// bits of a place, as many, say which of several groups of rows it is of.
///
/// `twiddle(level, t, group)` is that of node t of a level that counts from first_level; with
/// `first_is_one` the twiddle of node 0 is one on each.
template <bool kDown, class Twiddle>
BELFRY_HD void butterflies(Fr* x, unsigned first_level, bool first_is_one,
                           const Twiddle& twiddle) noexcept {
  constexpr unsigned kHalf = 1U << (kStepLog - 1);
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (unsigned i = 0; i < kStepLog; ++i) {
    const unsigned place = kDown ? i : kStepLog - 1 - i;
    const bool moves = place < first_level;
    const unsigned level = place - first_level;
    Fr y[2 * kHalf];  // NOLINT(modernize-avoid-c-arrays): registers of a device
    if (moves || (first_is_one && level == 0)) {
      BELFRY_UNROLL
      for (unsigned k = 0; k < kHalf; ++k) {
        const Fr low = x[kDown ? k : 2 * k];
        const Fr high = x[kDown ? k + kHalf : 2 * k + 1];
        y[kDown ? 2 * k : k] = moves ? low : low + high;
        y[kDown ? 2 * k + 1 : k + kHalf] = moves ? high : low - high;
      }
    } else {
      BELFRY_UNROLL
      for (unsigned j = 0; j < kHalf; ++j) {
        // Odd ones first: they never have a twiddle of one.
        const unsigned k = 2 * j + 1 < kHalf ? 2 * j + 1 : 2 * j - kHalf;
        const unsigned t = k & ((1U << level) - 1);
        const bool one = k % 2 == 0 && first_is_one && t == 0;
        const Fr low = x[kDown ? k : 2 * k];
        const Fr high = x[kDown ? k + kHalf : 2 * k + 1];
        Fr product = kDown ? high : low - high;
        if (!one) product = product * twiddle(level, t, (k >> level) & ((1U << first_level) - 1));
        y[kDown ? 2 * k : k] = low + (kDown ? product : high);
        y[kDown ? 2 * k + 1 : k + kHalf] = kDown ? low - product : product;
      }
    }
    BELFRY_UNROLL
    for (unsigned k = 0; k < 2 * kHalf; ++k) x[k] = y[k];
  }
}

}  // namespace belfry::ntt::core
