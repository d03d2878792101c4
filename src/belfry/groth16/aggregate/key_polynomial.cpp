#include "belfry/groth16/aggregate/key_polynomial.h"

namespace belfry::groth16 {

Fr KeyPolynomial::evaluate(const Fr& point) const {
  Fr value = Fr::one();
  for (std::size_t i = 0; i < shift; ++i) value *= point;
  Fr power = point;
  for (const Fr& factor : factors) {
    value *= Fr::one() + factor * power;
    power = power.square();
  }
  return value;
}

std::vector<Fr> KeyPolynomial::coefficients() const {
  std::vector<Fr> out(shift);
  out.push_back(Fr::one());
  for (const Fr& factor : factors) {
    const std::size_t size = out.size() - shift;
    for (std::size_t i = 0; i < size; ++i) out.push_back(factor * out[shift + i]);
  }
  return out;
}

KeyPolynomial vkey_polynomial(std::span<const FoldChallenge> rounds) {
  KeyPolynomial out;
  for (std::size_t j = rounds.size(); j-- > 0;) out.factors.push_back(rounds[j].inverse);
  return out;
}

KeyPolynomial wkey_polynomial(std::span<const FoldChallenge> rounds, const Fr& r) {
  KeyPolynomial out{.shift = std::size_t{1} << rounds.size(), .factors = {}};
  Fr scale = r.inverse();
  for (std::size_t j = rounds.size(); j-- > 0;) {
    out.factors.push_back(rounds[j].x * scale);
    scale = scale.square();
  }
  return out;
}

std::vector<Fr> divide_at(std::span<const Fr> coefficients, const Fr& z) {
  if (coefficients.empty()) return {};
  std::vector<Fr> quotient(coefficients.size() - 1);
  Fr carry = Fr::zero();
  for (std::size_t i = quotient.size(); i-- > 0;) {
    carry = coefficients[i + 1] + z * carry;
    quotient[i] = carry;
  }
  return quotient;
}

}  // namespace belfry::groth16
