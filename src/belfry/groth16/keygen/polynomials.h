#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/work.h"
#include "belfry/ntt/domain.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// kInvalidUsage if tau is one of omega^0 ... omega^(m−1).
[[nodiscard]] Result<void> check_tau(const ntt::Domain& domain, const Fr& tau);

/// L_j(tau) for j in [0, rows): the Lagrange polynomials of the domain, L_j(x) = (x^m − 1)/m ·
/// omega^j/(x − omega^j). kInvalidUsage if tau is one of omega^0 ... omega^(m−1). Parallel; about
/// five multiplications an element.
[[nodiscard]] Result<std::vector<Fr>> lagrange_at(const ntt::Domain& domain, const Fr& tau,
                                                  std::uint64_t rows, const Executor& executor);
/// values[i] = L_(first + i)(tau); tau is no root of the domain.
void lagrange_range(const ntt::Domain& domain, const Fr& tau, std::uint64_t first,
                    std::span<Fr> values, const Executor& executor);

/// The value at tau of the polynomials of every variable in one matrix.
struct ColumnValues {
  std::vector<Fr> inputs;
  std::vector<Fr> aux;
};

/// u_i(tau), v_i(tau), w_i(tau) (spec formats.md 2.4), the appended input rows included.
struct Polynomials {
  ColumnValues u;  ///< of A
  ColumnValues v;  ///< of B
  ColumnValues w;  ///< of C
};

/// The polynomials of a circuit at tau. Memory: 32 bytes a row and 96 a variable.
[[nodiscard]] Result<Polynomials> evaluate_polynomials(const r1cs::Shape& shape,
                                                       const ntt::Domain& domain, const Fr& tau,
                                                       const WorkView& work);

}  // namespace belfry::groth16
