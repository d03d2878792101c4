#pragma once

#include <cstdint>
#include <span>

#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/ntt/domain.h"

/// What a trapdoor makes of the H and L points when the quotient comes as values on the domain
/// (QuotientBasis::kDomain).
///
/// With Z = tau^m − 1, L_j the Lagrange polynomials and D(p) = X·p', the quotient's value at
/// omega^j is h_j − D(c)_j/m, so the H sum is Σ_j h_j·L_j(tau)·Z/delta − Σ_j c_j·s_j with s_j =
/// tau·L_j'(tau)·Z/(m·delta), and c = C·w makes the second sum linear in w: Σ_j C_jv·s_j is taken
/// from the l of each variable v.
///
/// tau is no root of the domain. Parallel; some multiplications an element.
namespace belfry::groth16 {

/// The scalars of H at positions first + i: L_j(tau)·Z/delta times ntt::domain_quotient_factor, row
/// j = bitrev(first + i). Their number is a power of two, at most the domain's, and divides
/// `first`.
void domain_h_scalars(const ntt::Domain& domain, const TestTrapdoor& trapdoor, std::uint64_t first,
                      std::span<Fr> scalars, const Executor& executor);

/// s_j from L_j(tau), in place.
void to_folded_weights(const ntt::Domain& domain, const TestTrapdoor& trapdoor,
                       std::span<Fr> weights, const Executor& executor);

}  // namespace belfry::groth16
