#include "belfry/curve/pairing.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "belfry/curve/curve_gen.h"

namespace belfry::curve {
namespace {

constexpr int kSeedBits = std::bit_width(kSeedMagnitude);

constexpr bool seed_bit(int bit) noexcept { return ((kSeedMagnitude >> bit) & 1) != 0; }

/// One line for every doubling below the top bit and for every addition.
constexpr std::size_t kLineCount =
    static_cast<std::size_t>(kSeedBits - 1 + std::popcount(kSeedMagnitude) - 1);

/// A point of the twist in homogeneous coordinates: x/z, y/z. The line coefficients come out of
/// the additions almost for free in this form (Costello, Lange, Naehrig 2010, eprint 2009/615).
struct Projective {
  Fp2 x, y, z;
};

Fp2 tripled(const Fp2& a) noexcept { return a.doubled() + a; }

/// t <- 2t; returns the tangent at the old t, times 2yz/z²:
/// (y² - 3b'z²) - 3x²·x_P·w² + 2yz·y_P·w³.
G2Prepared::Line double_step(Projective& t) noexcept {
  const Fp2 yy = t.y.square();
  const Fp2 zz = t.z.square();
  // 3b' = 12(1 + u)
  const Fp2 e = tripled(zz.times_non_residue()).doubled().doubled();
  const Fp2 f = tripled(e);
  const Fp2 yz2 = (t.y + t.z).square() - yy - zz;
  const Fp2 xx = t.x.square();
  const Fp2 ee12 = tripled(e.square()).doubled().doubled();
  t.x = (t.x * t.y * (yy - f)).doubled();
  t.y = (yy + f).square() - ee12;
  t.z = (yy * yz2).doubled().doubled();
  return {yy - e, -tripled(xx), yz2};
}

/// t <- t + q; returns the chord, times its denominator: with theta = y - y_q·z, lambda = x - x_q·z
/// it is (theta·x_q - lambda·y_q) - theta·x_P·w² + lambda·y_P·w³.
G2Prepared::Line add_step(Projective& t, const G2Affine& q) noexcept {
  const Fp2 theta = t.y - q.y * t.z;
  const Fp2 lambda = t.x - q.x * t.z;
  const Fp2 lambda2 = lambda.square();
  const Fp2 lambda3 = lambda2 * lambda;
  const Fp2 g = t.x * lambda2;
  const Fp2 h = lambda3 + t.z * theta.square() - g.doubled();
  t.x = lambda * h;
  t.y = theta * (g - h) - lambda3 * t.y;
  t.z = t.z * lambda3;
  return {theta * q.x - lambda * q.y, -theta, lambda};
}

/// x^z in the cyclotomic subgroup, where conjugation inverts: z is negative.
Fp12 power_of_seed(const Fp12& x) noexcept {
  Fp12 out = x;
  for (int bit = kSeedBits - 1; bit-- > 0;) {
    out = out.cyclotomic_square();
    if (seed_bit(bit)) out *= x;
  }
  return out.conjugate();
}

}  // namespace

Gt Gt::pow(const Fr& exponent) const { return multi_power({this, 1}, {&exponent, 1}); }

Gt multi_power(std::span<const Gt> values, std::span<const Fr> exponents) {
  constexpr unsigned kWindow = 4;
  constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kWindow) - 1;
  struct Factor {
    std::array<Fp12, std::size_t{1} << kWindow> powers;
    Fr::Limbs exponent;
  };
  std::vector<Factor> factors(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    auto& powers = factors[k].powers;
    powers[0] = Fp12::one();
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * values[k].value_;
    factors[k].exponent = exponents[k].to_canonical();
  }
  Fp12 result = Fp12::one();
  for (std::size_t bit = 64 * sizeof(Fr::Limbs) / sizeof(std::uint64_t); bit > 0;) {
    bit -= kWindow;
    for (unsigned i = 0; i < kWindow; ++i) result = result.cyclotomic_square();
    for (const Factor& factor : factors) {
      const std::uint64_t digit = (factor.exponent[bit / 64] >> (bit % 64)) & kDigitMask;
      if (digit != 0) result *= factor.powers[digit];
    }
  }
  return Gt(result);
}

std::optional<Gt> Gt::from_value(const Fp12& value) noexcept {
  if (value.is_zero()) return std::nullopt;
  // First x^(p⁴ - p² + 1) = 1, then x^p = x^z: p - z and p⁴ - p² + 1 have r as greatest common
  // divisor (asserted where constants are made).
  const Fp12 p1 = value.frobenius();
  const Fp12 p2 = p1.frobenius();
  if (p2.frobenius().frobenius() * value != p2) return std::nullopt;
  if (power_of_seed(value) != p1) return std::nullopt;
  return Gt(value);
}

G2Prepared::G2Prepared(const G2Affine& point) {
  if (point.is_infinity()) return;
  lines_.reserve(kLineCount);
  Projective t{point.x, point.y, Fp2::one()};
  for (int bit = kSeedBits - 1; bit-- > 0;) {
    lines_.push_back(double_step(t));
    if (seed_bit(bit)) lines_.push_back(add_step(t, point));
  }
}

Fp12 multi_miller_loop(std::span<const PairingTerm> terms) {
  std::vector<PairingTerm> finite;
  for (const auto& term : terms) {
    if (!term.p.is_infinity() && !term.q->is_infinity()) finite.push_back(term);
  }
  Fp12 f = Fp12::one();
  std::size_t next = 0;
  const auto multiply_lines = [&] {
    for (const auto& term : finite) {
      const auto& line = term.q->lines()[next];
      f = f.times_line(line.c0, line.c1 * term.p.x, line.c2 * term.p.y);
    }
    ++next;
  };
  for (int bit = kSeedBits - 1; bit-- > 0;) {
    f = f.square();
    multiply_lines();
    if (seed_bit(bit)) multiply_lines();
  }
  // z is negative: f_{-n} = 1/f_n up to a factor that the final exponentiation removes.
  return f.conjugate();
}

Gt final_exponentiation(const Fp12& f) noexcept {
  // Easy part, to the power (p⁶ - 1)(p² + 1); from here conjugation is inversion.
  const Fp12 unitary = f.conjugate() * f.inverse();
  const Fp12 m = unitary.frobenius().frobenius() * unitary;
  // Hard part, 3(p⁴ - p² + 1)/r = (z - 1)²·(z + p)·(z² + p² - 1) + 3.
  const Fp12 a = power_of_seed(m) * m.conjugate();
  const Fp12 b = power_of_seed(a) * a.conjugate();
  const Fp12 c = power_of_seed(b) * b.frobenius();
  const Fp12 d = power_of_seed(power_of_seed(c)) * c.frobenius().frobenius() * c.conjugate();
  return Gt(d * m.cyclotomic_square() * m);
}

Gt multi_pairing(std::span<const PairingTerm> terms) {
  return final_exponentiation(multi_miller_loop(terms));
}

Gt pairing(const G1Affine& p, const G2Affine& q) {
  const G2Prepared prepared(q);
  const PairingTerm term{p, &prepared};
  return multi_pairing({&term, 1});
}

}  // namespace belfry::curve
