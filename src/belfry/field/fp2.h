#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/field/fp.h"

namespace belfry {

/// The quadratic extension Fp2 = Fp[u]/(u² + 1): c0 + c1·u, over which G2 is defined.
///
/// A value like Fp: Montgomery coordinates, fully reduced, constexpr, host and device, thread-safe,
/// not constant time. Source: spec formats.md 1.2 and 9.1.
struct Fp2 {
  Fp c0{};
  Fp c1{};

  BELFRY_HD static constexpr Fp2 zero() noexcept { return {}; }
  BELFRY_HD static constexpr Fp2 one() noexcept { return {Fp::one(), Fp::zero()}; }
  BELFRY_HD static constexpr Fp2 from_u64(std::uint64_t value) noexcept {
    return {Fp::from_u64(value), Fp::zero()};
  }

  [[nodiscard]] BELFRY_HD constexpr bool is_zero() const noexcept {
    return c0.is_zero() && c1.is_zero();
  }
  BELFRY_HD friend constexpr bool operator==(const Fp2&, const Fp2&) noexcept = default;

  BELFRY_HD friend constexpr Fp2 operator+(const Fp2& a, const Fp2& b) noexcept {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  BELFRY_HD friend constexpr Fp2 operator-(const Fp2& a, const Fp2& b) noexcept {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  BELFRY_HD constexpr Fp2 operator-() const noexcept { return {-c0, -c1}; }
  /// Three multiplications in Fp (Karatsuba).
  BELFRY_HD friend constexpr Fp2 operator*(const Fp2& a, const Fp2& b) noexcept {
    const Fp low = a.c0 * b.c0;
    const Fp high = a.c1 * b.c1;
    const Fp cross = (a.c0 + a.c1) * (b.c0 + b.c1);
    return {low - high, cross - low - high};
  }
  BELFRY_HD friend constexpr Fp2 operator*(const Fp2& a, const Fp& b) noexcept {
    return {a.c0 * b, a.c1 * b};
  }
  BELFRY_HD constexpr Fp2& operator+=(const Fp2& b) noexcept { return *this = *this + b; }
  BELFRY_HD constexpr Fp2& operator-=(const Fp2& b) noexcept { return *this = *this - b; }
  BELFRY_HD constexpr Fp2& operator*=(const Fp2& b) noexcept { return *this = *this * b; }
  /// Two multiplications in Fp: (c0 + c1)(c0 - c1) + 2·c0·c1·u.
  [[nodiscard]] BELFRY_HD constexpr Fp2 square() const noexcept {
    return {(c0 + c1) * (c0 - c1), c0.doubled() * c1};
  }
  [[nodiscard]] BELFRY_HD constexpr Fp2 doubled() const noexcept {
    return {c0.doubled(), c1.doubled()};
  }

  /// c0 - c1·u, which is also the Frobenius map x^p.
  [[nodiscard]] BELFRY_HD constexpr Fp2 conjugate() const noexcept { return {c0, -c1}; }
  /// x·(1 + u), the non-residue that the tower and the twist are built on. No multiplication.
  [[nodiscard]] BELFRY_HD constexpr Fp2 times_non_residue() const noexcept {
    return {c0 - c1, c0 + c1};
  }
  /// c0² + c1², the norm down to Fp.
  [[nodiscard]] BELFRY_HD constexpr Fp norm() const noexcept { return c0.square() + c1.square(); }
  /// 1/x; zero maps to zero. One inversion in Fp.
  [[nodiscard]] BELFRY_HD constexpr Fp2 inverse() const noexcept {
    return conjugate() * norm().inverse();
  }
  /// this^exponent, little-endian limbs; x^0 is one. Variable time.
  template <std::size_t N>
  [[nodiscard]] BELFRY_HD constexpr Fp2 pow(
      const std::array<std::uint64_t, N>& exponent) const noexcept {
    Fp2 result = one();
    for (std::size_t bit = 64 * N; bit-- > 0;) {
      result = result.square();
      if (((exponent[bit / 64] >> (bit % 64)) & 1) != 0) result = result * *this;
    }
    return result;
  }
};

}  // namespace belfry
