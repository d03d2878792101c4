#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/field/fr.h"

namespace belfry::msm::core {

/// How scalars are cut into signed digits: s = Σ_w d_w·2^(c·w) for w < windows, where every digit
/// below the top one is in [-2^(c-1), 2^(c-1)) and the top one is in [0, 2^c].
///
/// Adding the constant Σ_{w < top} 2^(c-1)·2^(c·w) once makes the digits independent of each other:
/// digit w is then the c bits at c·w, less 2^(c-1). A worker may take any of them.
struct DigitPlan {
  unsigned window_bits = 1;
  unsigned windows = 0;
  /// The constant above; c·windows is at least 255, so the sum with any scalar fits 256 bits.
  std::array<std::uint64_t, Fr::kLimbs> offset{};

  static constexpr unsigned kScalarBits = 255;

  BELFRY_HD static constexpr DigitPlan of(unsigned window_bits) noexcept {
    DigitPlan plan;
    plan.window_bits = window_bits;
    plan.windows = (kScalarBits + window_bits - 1) / window_bits;
    for (unsigned w = 0; w + 1 < plan.windows; ++w) {
      const unsigned bit = window_bits * w + window_bits - 1;
      plan.offset[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    return plan;
  }
  /// Largest magnitude of a digit of window w.
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t max_digit(unsigned w) const noexcept {
    if (w + 1 < windows) return std::uint32_t{1} << (window_bits - 1);
    const unsigned top_bits = kScalarBits - window_bits * w;
    return std::uint32_t{1} << top_bits;
  }
};

using Scalar = std::array<std::uint64_t, Fr::kLimbs>;

/// Worker i: the canonical integer of scalar i plus the plan's constant.
BELFRY_HD constexpr Scalar prepare_scalar(const Fr& scalar, const DigitPlan& plan) noexcept {
  Scalar out = scalar.to_canonical();
  field::Uint128 sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    sum += field::Uint128{out[i]} + plan.offset[i];
    out[i] = static_cast<std::uint64_t>(sum);
    sum >>= 64;
  }
  return out;
}

/// Digit w of a prepared scalar whose limb k is limb(k), wherever it lies.
template <class Limb>
BELFRY_HD constexpr std::int32_t digit_of(const Limb& limb, const DigitPlan& plan,
                                          unsigned w) noexcept {
  const unsigned bit = plan.window_bits * w;
  const std::size_t place = bit / 64;
  const unsigned shift = bit % 64;
  std::uint64_t bits = limb(place) >> shift;
  if (shift + plan.window_bits + 1 > 64 && place + 1 < Fr::kLimbs) {
    bits |= limb(place + 1) << (64 - shift);
  }
  if (w + 1 == plan.windows) {
    // The top window has what is left, without an offset.
    return static_cast<std::int32_t>(bits & ((std::uint64_t{1} << (plan.window_bits + 1)) - 1));
  }
  bits &= (std::uint64_t{1} << plan.window_bits) - 1;
  return static_cast<std::int32_t>(bits) -
         static_cast<std::int32_t>(std::uint32_t{1} << (plan.window_bits - 1));
}

/// Digit w of a prepared scalar.
BELFRY_HD constexpr std::int32_t digit(const Scalar& prepared, const DigitPlan& plan,
                                       unsigned w) noexcept {
  return digit_of([&](std::size_t k) { return prepared[k]; }, plan, w);
}

}  // namespace belfry::msm::core
