#pragma once

#include <optional>
#include <span>
#include <vector>

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/field/fp12.h"
#include "belfry/field/fr.h"

namespace belfry::curve {

/// An element of the target group: order r in Fp12*, written multiplicatively. Made by a pairing.
class Gt {
 public:
  /// The neutral element.
  constexpr Gt() noexcept = default;

  [[nodiscard]] constexpr const Fp12& value() const noexcept { return value_; }
  [[nodiscard]] constexpr bool is_one() const noexcept { return value_ == Fp12::one(); }
  friend constexpr bool operator==(const Gt&, const Gt&) noexcept = default;
  friend Gt operator*(const Gt& a, const Gt& b) noexcept { return Gt(a.value_ * b.value_); }
  /// Cheap: conjugation.
  [[nodiscard]] Gt inverse() const noexcept { return Gt(value_.conjugate()); }
  [[nodiscard]] Gt pow(const Fr& exponent) const;
  /// Takes a value from outside; empty unless it lies in the group of order r. About 64 squarings.
  [[nodiscard]] static std::optional<Gt> from_value(const Fp12& value) noexcept;

 private:
  friend Gt final_exponentiation(const Fp12& f) noexcept;
  friend Gt multi_power(std::span<const Gt> values, std::span<const Fr> exponents);
  constexpr explicit Gt(const Fp12& value) noexcept : value_(value) {}

  Fp12 value_ = Fp12::one();
};

/// The product of values_i^exponents_i; the spans have one length, the product of none is one.
///
/// Cost: 255 squarings for all together, and 74 multiplications in Fp12 a value (0.15 ms); 9 kB of
/// table a value. Windows of four bits (Straus 1964). Thread-safe.
[[nodiscard]] Gt multi_power(std::span<const Gt> values, std::span<const Fr> exponents);

/// The lines of the Miller loop of one G2 point: 63 tangents and 5 chords, each as three elements
/// of Fp2. Verification keys keep these instead of points. Immutable, thread-safe, 20 kB.
class G2Prepared {
 public:
  /// The line c0 + c1·x_P·w² + c2·y_P·w³, up to a factor that the final exponentiation removes.
  struct Line {
    Fp2 c0, c1, c2;
  };

  explicit G2Prepared(const G2Affine& point);
  [[nodiscard]] bool is_infinity() const noexcept { return lines_.empty(); }
  /// In the order of the loop; empty for infinity.
  [[nodiscard]] std::span<const Line> lines() const noexcept { return lines_; }

 private:
  std::vector<Line> lines_;
};

/// One factor of a product of pairings; `q` outlives the call.
struct PairingTerm {
  G1Affine p;
  const G2Prepared* q;
};

/// The product of the Miller functions f_{z,q}(p); terms with a point at infinity count as one. The
/// squarings are shared by all terms. Not a pairing yet: see final_exponentiation.
[[nodiscard]] Fp12 multi_miller_loop(std::span<const PairingTerm> terms);

/// f^(3(p¹² - 1)/r): the cube of the reduced pairing, which is the value that the reference stack
/// and spec formats.md 9.1 record. f is not zero. Source: Hayashida, Hayasaka, Teruya, eprint
/// 2020/875.
[[nodiscard]] Gt final_exponentiation(const Fp12& f) noexcept;

/// e(p, q): optimal ate, with the exponent above. Both points lie in their subgroups. Infinity
/// gives one.
[[nodiscard]] Gt pairing(const G1Affine& p, const G2Affine& q);
/// The product of e(p_i, q_i), with one final exponentiation.
[[nodiscard]] Gt multi_pairing(std::span<const PairingTerm> terms);

}  // namespace belfry::curve
