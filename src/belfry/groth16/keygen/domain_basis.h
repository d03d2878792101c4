#pragma once

#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/groth16/work.h"
#include "belfry/ntt/domain.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// What a trapdoor makes of the H and L points when the quotient comes as values on the domain
/// (QuotientBasis::kDomain).
///
/// With Z = tau^m − 1, L_j the Lagrange polynomials and D(p) = X·p', the quotient's value at
/// omega^j is h_j − D(c)_j/m, so the H sum is Σ_j h_j·L_j(tau)·Z/delta − Σ_j c_j·s_j with s_j =
/// tau·L_j'(tau)·Z/(m·delta), and c = C·w makes the second sum linear in w.
struct DomainBasisScalars {
  /// (m), position p: L_j(tau)·Z/delta times ntt::domain_quotient_factor, row j = bitrev(p).
  std::vector<Fr> h;
  /// Σ_j C_jv·s_j, to be taken from the l of each variable.
  ColumnValues c;
};

/// kInvalidUsage if tau is a root of the domain. Memory: 64 bytes a row, 32 a variable. Parallel.
[[nodiscard]] Result<DomainBasisScalars> domain_basis_scalars(const r1cs::Shape& shape,
                                                              const ntt::Domain& domain,
                                                              const TestTrapdoor& trapdoor,
                                                              const WorkView& work);

}  // namespace belfry::groth16
