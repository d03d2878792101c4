#pragma once

#include "belfry/base/platform.h"
#include "belfry/field/fp2.h"

namespace belfry {

/// The cubic extension Fp6 = Fp2[v]/(v³ - (1 + u)): c0 + c1·v + c2·v².
///
/// A value like Fp2. Source: spec formats.md 9.1.
struct Fp6 {
  Fp2 c0{};
  Fp2 c1{};
  Fp2 c2{};

  BELFRY_HD static constexpr Fp6 zero() noexcept { return {}; }
  BELFRY_HD static constexpr Fp6 one() noexcept { return {Fp2::one(), {}, {}}; }

  [[nodiscard]] BELFRY_HD constexpr bool is_zero() const noexcept {
    return c0.is_zero() && c1.is_zero() && c2.is_zero();
  }
  BELFRY_HD friend constexpr bool operator==(const Fp6&, const Fp6&) noexcept = default;

  BELFRY_HD friend constexpr Fp6 operator+(const Fp6& a, const Fp6& b) noexcept {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
  }
  BELFRY_HD friend constexpr Fp6 operator-(const Fp6& a, const Fp6& b) noexcept {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
  }
  BELFRY_HD constexpr Fp6 operator-() const noexcept { return {-c0, -c1, -c2}; }
  /// Six multiplications in Fp2 (Karatsuba for three terms).
  BELFRY_HD friend constexpr Fp6 operator*(const Fp6& a, const Fp6& b) noexcept {
    const Fp2 t0 = a.c0 * b.c0;
    const Fp2 t1 = a.c1 * b.c1;
    const Fp2 t2 = a.c2 * b.c2;
    const Fp2 s12 = (a.c1 + a.c2) * (b.c1 + b.c2) - t1 - t2;
    const Fp2 s01 = (a.c0 + a.c1) * (b.c0 + b.c1) - t0 - t1;
    const Fp2 s02 = (a.c0 + a.c2) * (b.c0 + b.c2) - t0 - t2;
    return {t0 + s12.times_non_residue(), s01 + t2.times_non_residue(), s02 + t1};
  }
  BELFRY_HD friend constexpr Fp6 operator*(const Fp6& a, const Fp2& b) noexcept {
    return {a.c0 * b, a.c1 * b, a.c2 * b};
  }
  BELFRY_HD constexpr Fp6& operator*=(const Fp6& b) noexcept { return *this = *this * b; }
  /// this·(b0 + b1·v): five multiplications in Fp2.
  [[nodiscard]] BELFRY_HD constexpr Fp6 times_01(const Fp2& b0, const Fp2& b1) const noexcept {
    const Fp2 t0 = c0 * b0;
    const Fp2 t1 = c1 * b1;
    const Fp2 s01 = (c0 + c1) * (b0 + b1) - t0 - t1;
    return {t0 + (c2 * b1).times_non_residue(), s01, c2 * b0 + t1};
  }
  /// this·b1·v: three multiplications in Fp2.
  [[nodiscard]] BELFRY_HD constexpr Fp6 times_1(const Fp2& b1) const noexcept {
    return {(c2 * b1).times_non_residue(), c0 * b1, c1 * b1};
  }
  /// x·v.
  [[nodiscard]] BELFRY_HD constexpr Fp6 times_v() const noexcept {
    return {c2.times_non_residue(), c0, c1};
  }
  /// Two multiplications and three squarings in Fp2 (Chung, Hasan 2007, SQR2).
  [[nodiscard]] BELFRY_HD constexpr Fp6 square() const noexcept {
    const Fp2 s0 = c0.square();
    const Fp2 s1 = (c0 * c1).doubled();
    const Fp2 s2 = (c0 - c1 + c2).square();
    const Fp2 s3 = (c1 * c2).doubled();
    const Fp2 s4 = c2.square();
    return {s0 + s3.times_non_residue(), s1 + s4.times_non_residue(), s1 + s2 + s3 - s0 - s4};
  }
  /// 1/x; zero maps to zero. One inversion in Fp.
  [[nodiscard]] BELFRY_HD constexpr Fp6 inverse() const noexcept {
    const Fp2 t0 = c0.square() - (c1 * c2).times_non_residue();
    const Fp2 t1 = c2.square().times_non_residue() - c0 * c1;
    const Fp2 t2 = c1.square() - c0 * c2;
    const Fp2 norm = c0 * t0 + (c2 * t1 + c1 * t2).times_non_residue();
    const Fp2 scale = norm.inverse();
    return {t0 * scale, t1 * scale, t2 * scale};
  }
};

}  // namespace belfry
