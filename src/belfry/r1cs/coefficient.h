#pragma once

#include <array>
#include <cstdint>

#include "belfry/field/fr.h"

namespace belfry::r1cs {

/// Exponents k for which 2^k has a code of its own: all below the bit length of r.
inline constexpr std::uint32_t kPowerCodes = 255;

/// 2^0, 2^1, ..., 2^254 in Fr.
[[nodiscard]] const std::array<Fr, kPowerCodes>& powers_of_two() noexcept;

/// A coefficient of a linear combination: ±2^k, k < 255, as a small code, or any Fr. Nearly all
/// coefficients of the circuits are of the first kind, so terms take eight bytes. A value.
class Coefficient {
 public:
  /// Any element; also a power of two may be given this way, the encoders recognise it.
  // NOLINTNEXTLINE(google-explicit-constructor): gadgets write constants of the field in place
  constexpr Coefficient(const Fr& value) noexcept : code_(kWide), wide_(value) {}

  [[nodiscard]] static constexpr Coefficient one() noexcept { return power_of_two(0); }
  [[nodiscard]] static constexpr Coefficient minus_one() noexcept { return -power_of_two(0); }
  /// 2^exponent, exponent < 255.
  [[nodiscard]] static constexpr Coefficient power_of_two(std::uint32_t exponent) noexcept {
    return Coefficient(exponent);
  }

  [[nodiscard]] constexpr Coefficient operator-() const noexcept {
    if (code_ == kWide) return Coefficient(-wide_);
    return Coefficient(code_ < kPowerCodes ? code_ + kPowerCodes : code_ - kPowerCodes);
  }

  /// code < 255: 2^code; code < 510: -2^(code - 255); kWide: see wide().
  static constexpr std::uint32_t kWide = 2 * kPowerCodes;
  [[nodiscard]] constexpr std::uint32_t code() const noexcept { return code_; }
  [[nodiscard]] constexpr const Fr& wide() const noexcept { return wide_; }
  [[nodiscard]] Fr value() const noexcept;

 private:
  constexpr explicit Coefficient(std::uint32_t code) noexcept : code_(code) {}

  std::uint32_t code_;
  Fr wide_{};
};

}  // namespace belfry::r1cs
