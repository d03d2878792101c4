#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "belfry/base/platform.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

// Uncompressed points (spec formats.md 1.2) as a device decodes them: the same rules as
// curve::decode_unchecked, for points that are not infinity, without saying which rule failed.
namespace belfry::groth16::core {

inline constexpr std::size_t kFpWords = sizeof(Fp) / sizeof(std::uint64_t);

BELFRY_HD constexpr std::uint64_t swap_bytes(std::uint64_t word) noexcept {
  constexpr std::uint64_t kOdd = 0x00ff00ff00ff00ff;
  constexpr std::uint64_t kOddPairs = 0x0000ffff0000ffff;
  word = ((word & kOdd) << 8) | ((word >> 8) & kOdd);
  word = ((word & kOddPairs) << 16) | ((word >> 16) & kOddPairs);
  return (word << 32) | (word >> 32);
}

/// The element whose 48 big-endian bytes are the words at `from`, loaded as this machine stores
/// them. False for integers that are not below p, so also for any flag bit.
BELFRY_HD constexpr bool read_coordinate(const std::uint64_t* from, Fp& out) noexcept {
  constexpr Fp::Limbs kModulus = field::FpParams::kModulus;
  Fp::Limbs value{};
  bool is_below = false;
  BELFRY_UNROLL
  for (std::size_t i = 0; i < kFpWords; ++i) {
    value[i] = swap_bytes(from[kFpWords - 1 - i]);
    is_below = value[i] != kModulus[i] ? value[i] < kModulus[i] : is_below;
  }
  out = Fp::from_canonical(value);
  return is_below;
}
/// The coefficient of u comes first.
BELFRY_HD constexpr bool read_coordinate(const std::uint64_t* from, Fp2& out) noexcept {
  const bool high = read_coordinate(from, out.c1);
  return read_coordinate(from + kFpWords, out.c0) && high;
}

/// The point whose encoding is the words at `from`; false if they encode no finite point.
///
/// @param from  96 (G1) or 192 (G2) bytes, aligned to eight
/// Cost: two products a coordinate and three for the equation.
template <class Curve>
BELFRY_HD constexpr bool decode_finite(const std::uint64_t* from,
                                       curve::Affine<Curve>& out) noexcept {
  constexpr std::size_t kWords = sizeof(typename Curve::Field) / sizeof(std::uint64_t);
  const bool in_range = read_coordinate(from, out.x) && read_coordinate(from + kWords, out.y);
  // x = 0 in G1 is refused as curve::decode_unchecked does: those points have order 3.
  const bool is_refused = std::is_same_v<Curve, curve::G1> && out.x.is_zero();
  return in_range && !is_refused && out.y.square() == out.x.square() * out.x + Curve::b();
}

}  // namespace belfry::groth16::core
