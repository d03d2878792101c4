#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "belfry/base/platform.h"
#include "belfry/field/fp6.h"
#include "belfry/field/tower_gen.h"

namespace belfry {

/// The top of the tower, Fp12 = Fp6[w]/(w² - v): c0 + c1·w. Values of pairings live here.
///
/// As a polynomial in w over Fp2 the coefficients are, from w⁰: c0.c0, c1.c0, c0.c1, c1.c1, c0.c2,
/// c1.c2. A value like Fp2. Source: spec formats.md 9.1.
struct Fp12 {
  Fp6 c0{};
  Fp6 c1{};

  BELFRY_HD static constexpr Fp12 zero() noexcept { return {}; }
  BELFRY_HD static constexpr Fp12 one() noexcept { return {Fp6::one(), {}}; }

  [[nodiscard]] BELFRY_HD constexpr bool is_zero() const noexcept {
    return c0.is_zero() && c1.is_zero();
  }
  BELFRY_HD friend constexpr bool operator==(const Fp12&, const Fp12&) noexcept = default;

  BELFRY_HD friend constexpr Fp12 operator+(const Fp12& a, const Fp12& b) noexcept {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  BELFRY_HD friend constexpr Fp12 operator-(const Fp12& a, const Fp12& b) noexcept {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  /// Three multiplications in Fp6.
  BELFRY_HD friend constexpr Fp12 operator*(const Fp12& a, const Fp12& b) noexcept {
    const Fp6 low = a.c0 * b.c0;
    const Fp6 high = a.c1 * b.c1;
    const Fp6 cross = (a.c0 + a.c1) * (b.c0 + b.c1);
    return {low + high.times_v(), cross - low - high};
  }
  BELFRY_HD constexpr Fp12& operator*=(const Fp12& b) noexcept { return *this = *this * b; }
  /// Two multiplications in Fp6.
  [[nodiscard]] BELFRY_HD constexpr Fp12 square() const noexcept {
    const Fp6 cross = c0 * c1;
    const Fp6 t = (c0 + c1) * (c0 + c1.times_v());
    return {t - cross - cross.times_v(), cross + cross};
  }
  /// this·(b0 + b2·w² + b3·w³), the shape of a line of the Miller loop: 13 multiplications in Fp2
  /// instead of 18.
  [[nodiscard]] BELFRY_HD constexpr Fp12 times_line(const Fp2& b0, const Fp2& b2,
                                                    const Fp2& b3) const noexcept {
    const Fp6 low = c0.times_01(b0, b2);
    const Fp6 high = c1.times_1(b3);
    const Fp6 cross = (c0 + c1).times_01(b0, b2 + b3);
    return {low + high.times_v(), cross - low - high};
  }
  /// c0 - c1·w, which is also x^(p⁶); the inverse for elements of norm one, as all of Gt.
  [[nodiscard]] BELFRY_HD constexpr Fp12 conjugate() const noexcept { return {c0, -c1}; }
  /// 1/x; zero maps to zero. One inversion in Fp.
  [[nodiscard]] BELFRY_HD constexpr Fp12 inverse() const noexcept {
    const Fp6 scale = (c0.square() - c1.square().times_v()).inverse();
    return {c0 * scale, -(c1 * scale)};
  }
  /// x^p. Five multiplications in Fp2.
  [[nodiscard]] BELFRY_HD constexpr Fp12 frobenius() const noexcept {
    const auto& [k0, k1, k2, k3, k4, k5] = field::kFrobeniusPowers;  // k0 is one
    return {{c0.c0.conjugate(), c0.c1.conjugate() * k2, c0.c2.conjugate() * k4},
            {c1.c0.conjugate() * k1, c1.c1.conjugate() * k3, c1.c2.conjugate() * k5}};
  }
  /// x² for x in the cyclotomic subgroup, x^(p⁴ - p² + 1) = 1: nine squarings in Fp2 instead of
  /// twelve multiplications. Elsewhere the result means nothing. Source: Granger, Scott 2010,
  /// eprint 2009/565, with Fp4 = Fp2[w³] and Fp12 = Fp4[w].
  [[nodiscard]] BELFRY_HD constexpr Fp12 cyclotomic_square() const noexcept {
    const Fp4 a = Fp4::squared(c0.c0, c1.c1);
    const Fp4 b = Fp4::squared(c1.c0, c0.c2);
    const Fp4 c = Fp4::squared(c0.c1, c1.c2);
    return {{tripled_less(a.c0, c0.c0), tripled_less(b.c0, c0.c1), tripled_less(c.c0, c0.c2)},
            {tripled_plus(c.c1.times_non_residue(), c1.c0), tripled_plus(a.c1, c1.c1),
             tripled_plus(b.c1, c1.c2)}};
  }

 private:
  struct Fp4 {
    Fp2 c0, c1;
    /// (a + b·s)² with s² = 1 + u.
    BELFRY_HD static constexpr Fp4 squared(const Fp2& a, const Fp2& b) noexcept {
      const Fp2 aa = a.square();
      const Fp2 bb = b.square();
      return {aa + bb.times_non_residue(), (a + b).square() - aa - bb};
    }
  };
  BELFRY_HD static constexpr Fp2 tripled_less(const Fp2& t, const Fp2& g) noexcept {
    return (t - g).doubled() + t;
  }
  BELFRY_HD static constexpr Fp2 tripled_plus(const Fp2& t, const Fp2& g) noexcept {
    return (t + g).doubled() + t;
  }
};

}  // namespace belfry
