#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/groth16/aggregate/challenges.h"

namespace belfry::groth16 {

/// A polynomial X^shift·Π_j (1 + c_j·X^(2^j)): what folding makes of a commitment key. Its
/// coefficients are those with which the powers of the SRS make the final key.
struct KeyPolynomial {
  std::size_t shift = 0;
  std::vector<Fr> factors;  // (c_0, c_1, ...)

  /// f(point). Two multiplications a factor.
  [[nodiscard]] Fr evaluate(const Fr& point) const;
  /// All coefficients from X^0, shift + 2^(number of factors) of them.
  [[nodiscard]] std::vector<Fr> coefficients() const;
};

/// Of the keys in G2: c_j = x⁻¹ of round q - 1 - j. At r it is what folds the weights of C.
[[nodiscard]] KeyPolynomial vkey_polynomial(std::span<const FoldChallenge> rounds);
/// Of the keys in G1, which lie behind n other powers and are weighed with r^-i: shift n,
/// c_j = x of round q - 1 - j over r^(2^j).
[[nodiscard]] KeyPolynomial wkey_polynomial(std::span<const FoldChallenge> rounds, const Fr& r);

/// (f(X) - f(z))/(X - z) for coefficients from X^0; one fewer.
[[nodiscard]] std::vector<Fr> divide_at(std::span<const Fr> coefficients, const Fr& z);

}  // namespace belfry::groth16
