#include "belfry/field/sqrt.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace belfry::field {
namespace {

constexpr unsigned kWindow = 4;

/// base^exponent with a table of the first 2^kWindow powers; the exponents here are long.
template <class Field, std::size_t N>
Field power(const Field& base, const std::array<std::uint64_t, N>& exponent) noexcept {
  constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kWindow) - 1;
  std::array<Field, std::size_t{1} << kWindow> powers;
  powers[0] = Field::one();
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * base;
  Field result = Field::one();
  for (std::size_t bit = 64 * N; bit > 0;) {
    bit -= kWindow;
    for (unsigned i = 0; i < kWindow; ++i) result = result.square();
    const std::uint64_t digit = (exponent[bit / 64] >> (bit % 64)) & kDigitMask;
    if (digit != 0) result = result * powers[digit];
  }
  return result;
}

/// x halved: x + p has the same value and the parity that makes it even.
Fp half(const Fp& x) noexcept {
  static constexpr Fp kHalf = Fp::from_u64(2).inverse();
  return x * kHalf;
}

}  // namespace

std::optional<Fp> sqrt(const Fp& x) noexcept {
  const Fp root = power(x, FpParams::kInverseRootExponent) * x;
  if (root.square() != x) return std::nullopt;
  return root;
}

std::optional<Fp2> sqrt(const Fp2& x) noexcept {
  if (x.c1.is_zero()) {
    if (const auto real = sqrt(x.c0)) return Fp2{*real, Fp::zero()};
    // -1 has no root in Fp, so of x and -x one has: here -x, and (y·u)² = -y².
    return Fp2{Fp::zero(), power(-x.c0, FpParams::kInverseRootExponent) * -x.c0};
  }
  const auto norm_root = sqrt(x.norm());
  if (!norm_root) return std::nullopt;
  // The real part of a root is a root of delta or of its partner (c0 - t)/2, whose product is
  // -c1²/4: exactly one of them is a square, and `real` serves both cases because
  // inverse·real = delta^((p-1)/2) = ±1.
  const Fp delta = half(x.c0 + *norm_root);
  const Fp inverse = power(delta, FpParams::kInverseRootExponent);
  const Fp real = inverse * delta;
  const Fp other = half(x.c1 * inverse);
  if (real.square() == delta) return Fp2{real, other};
  return Fp2{-other, real};
}

std::optional<Fr> sqrt(const Fr& x) noexcept {
  constexpr unsigned kTwoAdicity = 32;
  if (x.is_zero()) return x;
  const Fr start = power(x, FrParams::kInverseRootExponent);
  Fr root = start * x;
  Fr excess = start * root;  // root² / x, of order 2^k
  Fr step{FrParams::kRootOfUnity};
  unsigned step_log = kTwoAdicity;  // step has order 2^step_log
  while (excess != Fr::one()) {
    unsigned log = 0;
    for (Fr power_of_excess = excess; power_of_excess != Fr::one(); ++log) {
      power_of_excess = power_of_excess.square();
    }
    if (log >= step_log) return std::nullopt;
    for (; step_log > log + 1; --step_log) step = step.square();
    root *= step;
    step = step.square();
    --step_log;
    excess *= step;
  }
  return root;
}

}  // namespace belfry::field
