#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/curve/curve_gen.h"
#include "belfry/curve/g1.h"
#include "belfry/field/fr.h"

// A point of G1 times a scalar, for many workers that each have their own. With z the seed of the
// curve, multiplication by z² is an endomorphism of the group of order r, (x, y) -> (beta·x, -y),
// and every scalar is a + b·z² with a and b below z², 128 bits: both halves share the doublings.
// Source: Gallant, Lambert, Vanstone, CRYPTO 2001; signed windows.
namespace belfry::msm::core {

/// k = low + high·z².
struct SplitScalar {
  using Half = std::array<std::uint64_t, 2>;
  Half low{};
  Half high{};
};

/// Signed digits of a half: 26 windows of five bits.
struct HalfWindows {
  static constexpr unsigned kBits = 5;
  static constexpr unsigned kWindows = 26;
  static constexpr int kMost = 1 << (kBits - 1);  ///< magnitude of a digit
};

/// value /= |z|; returns what is left.
template <std::size_t N>
BELFRY_HD constexpr std::uint64_t divide_by_seed(std::array<std::uint64_t, N>& value) noexcept {
  std::uint64_t rest = 0;
  for (std::size_t i = N; i-- > 0;) {
    const field::Uint128 part = (field::Uint128{rest} << 64) | value[i];
    value[i] = static_cast<std::uint64_t>(part / curve::kSeedMagnitude);
    rest = static_cast<std::uint64_t>(part % curve::kSeedMagnitude);
  }
  return rest;
}

/// The halves of a scalar: two divisions by |z|.
BELFRY_HD constexpr SplitScalar split_scalar(const Fr& scalar) noexcept {
  std::array<std::uint64_t, Fr::kLimbs> value = scalar.to_canonical();
  const std::uint64_t lowest = divide_by_seed(value);
  const std::uint64_t middle = divide_by_seed(value);
  // low = lowest + middle·|z|, below z².
  const field::Uint128 low = field::Uint128{middle} * curve::kSeedMagnitude + lowest;
  return {{static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(low >> 64)},
          {value[0], value[1]}};
}

/// Digit w of a half: half = Σ_w digit·32^w, digits in [-16, 16). The constant 16·Σ 32^w over the
/// windows below the top one is added first, so digits do not depend on each other.
BELFRY_HD constexpr int half_digit(const SplitScalar::Half& half, unsigned w) noexcept {
  constexpr unsigned kTop = HalfWindows::kWindows - 1;
  field::Uint128 offset = 0;
  for (unsigned i = 0; i < kTop; ++i) {
    offset |= field::Uint128{static_cast<unsigned>(HalfWindows::kMost)} << (HalfWindows::kBits * i);
  }
  const field::Uint128 value = (field::Uint128{half[1]} << 64) | half[0];
  const field::Uint128 sum = value + offset;
  if (w < kTop) {
    return static_cast<int>((sum >> (HalfWindows::kBits * w)) & (2 * HalfWindows::kMost - 1)) -
           HalfWindows::kMost;
  }
  constexpr int kCarry = 8;  // 2^128 over 32^25
  return static_cast<int>(sum >> (HalfWindows::kBits * kTop)) + (sum < value ? kCarry : 0);
}

// Out of line on a device: long functions with many callers.
#ifdef __CUDACC__
#define BELFRY_OUT_OF_LINE __noinline__
#else
#define BELFRY_OUT_OF_LINE
#endif
BELFRY_HD BELFRY_OUT_OF_LINE constexpr void add_to(curve::G1Jacobian& sum,
                                                   const curve::G1Jacobian& point) noexcept {
  sum += point;
}
BELFRY_HD BELFRY_OUT_OF_LINE constexpr void double_in_place(curve::G1Jacobian& point) noexcept {
  point = point.doubled();
}
#undef BELFRY_OUT_OF_LINE

/// The multiples of a point that digits name.
struct DigitMultiples {
  curve::G1Jacobian of_magnitude[HalfWindows::kMost];  // NOLINT(modernize-avoid-c-arrays): of a
                                                       // device; entry i is (i + 1)·P

  BELFRY_HD explicit DigitMultiples(const curve::G1Affine& point) noexcept {
    of_magnitude[0] = curve::G1Jacobian::from_affine(point);
    of_magnitude[1] = of_magnitude[0];
    double_in_place(of_magnitude[1]);
    for (int i = 2; i < HalfWindows::kMost; ++i) {
      of_magnitude[i] = of_magnitude[i - 1];
      add_to(of_magnitude[i], of_magnitude[0]);
    }
  }
  /// sum += digit·P, or digit·z²·P for the high half.
  BELFRY_HD void add(int digit, bool is_high, curve::G1Jacobian& sum) const noexcept {
    constexpr Fp kBeta = curve::kBeta;
    if (digit == 0) return;
    curve::G1Jacobian multiple = of_magnitude[(digit < 0 ? -digit : digit) - 1];
    if (is_high) multiple.x *= kBeta;
    if ((digit < 0) != is_high) multiple = -multiple;
    add_to(sum, multiple);
  }
};

/// scalar·point for a point of order r: 130 doublings and about 65 additions. Any thread, any
/// scalar, the same steps.
BELFRY_HD inline curve::G1Jacobian multiply_split(const curve::G1Affine& point,
                                                  const Fr& scalar) noexcept {
  const SplitScalar split = split_scalar(scalar);
  const DigitMultiples multiples(point);
  auto sum = curve::G1Jacobian::infinity();
  for (unsigned w = HalfWindows::kWindows; w-- > 0;) {
    for (unsigned i = 0; i < HalfWindows::kBits; ++i) double_in_place(sum);
    for (unsigned half = 0; half < 2; ++half) {
      multiples.add(half_digit(half == 0 ? split.low : split.high, w), half == 1, sum);
    }
  }
  return sum;
}

}  // namespace belfry::msm::core
