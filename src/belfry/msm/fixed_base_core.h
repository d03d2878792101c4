#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/msm/bucket_core.h"
#include "belfry/msm/digits_core.h"

// Many multiples of one point as a device makes them: one batch of affine additions a window.
namespace belfry::msm::core {

/// A table of d·2^(c·w)·B for 1 <= d <= 2^(c-1) and all windows w, behind one place for infinity.
/// After the table the points of the same array are sums, one a scalar.
struct FixedBaseLayout {
  DigitPlan digits;

  /// The window that every table has: the top digit fits like the others.
  static constexpr unsigned kWindowBits = 16;
  static_assert(DigitPlan::of(kWindowBits).max_digit(DigitPlan::of(kWindowBits).windows - 1) <=
                std::uint32_t{1} << (kWindowBits - 1));

  BELFRY_HD static constexpr FixedBaseLayout usual() noexcept {
    return {DigitPlan::of(kWindowBits)};
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t each_window() const noexcept {
    return std::uint32_t{1} << (digits.window_bits - 1);
  }
  /// Places in front of the sums.
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t sums() const noexcept {
    return 1 + digits.windows * each_window();
  }
  /// The place of a digit's multiple, with its sign as PointPair has it.
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t place(unsigned window,
                                                        std::int32_t digit) const noexcept {
    if (digit == 0) return 0;
    const auto magnitude = static_cast<std::uint32_t>(digit < 0 ? -digit : digit);
    return (window * each_window() + magnitude) | (digit < 0 ? kNegative : 0);
  }
};

/// Worker i: what step w adds for scalar i. Step 1 adds the multiples of the first two windows, a
/// further step w the sum so far and the multiple of window w.
BELFRY_HD constexpr PointPair fixed_base_pair(std::uint32_t i, unsigned step, const Fr& scalar,
                                              const FixedBaseLayout& layout) noexcept {
  const Scalar prepared = prepare_scalar(scalar, layout.digits);
  const std::uint32_t added = layout.place(step, digit(prepared, layout.digits, step));
  if (step == 1) return {layout.place(0, digit(prepared, layout.digits, 0)), added};
  return {layout.sums() + i, added};
}

}  // namespace belfry::msm::core
