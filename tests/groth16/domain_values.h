#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "belfry/groth16/keygen/domain_basis.h"
#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/ntt/tree_plan.h"
#include "belfry/r1cs/multiply.h"
#include "groth16/support.h"

namespace belfry::groth16::test {

/// omega^j·p'(omega^j) for all j, by definition: D(p) = X·p'.
inline std::vector<Fr> derivative(const ntt::Domain& domain, const std::vector<Fr>& values) {
  const std::size_t m = domain.size();
  std::vector<Fr> coefficients(m);
  std::vector<Fr> out(m);
  const Fr back = domain.omega().inverse();
  for (std::size_t k = 0; k < m; ++k) {
    const Fr step = back.pow(k);
    Fr power = domain.size_inverse();
    for (std::size_t j = 0; j < m; ++j, power *= step) coefficients[k] += values[j] * power;
  }
  for (std::size_t j = 0; j < m; ++j) {
    const Fr step = domain.omega().pow(j);
    Fr power = Fr::one();
    for (std::size_t k = 0; k < m; ++k, power *= step) {
      out[j] += Fr::from_u64(k) * coefficients[k] * power;
    }
  }
  return out;
}

inline std::size_t reversed(std::size_t p, unsigned bits) {
  std::size_t j = 0;
  for (unsigned bit = 0; bit < bits; ++bit) j |= ((p >> bit) & 1) << (bits - 1 - bit);
  return j;
}

/// What DeviceTree::domain_quotient_async leaves, by definition: at p, row j = bitrev(p), what
/// point p of H is multiplied by.
inline std::vector<Fr> domain_quotient(const r1cs::Shape& shape, const r1cs::PackedWitness& witness,
                                       const ntt::Domain& domain, const Executor& executor) {
  std::vector<Fr> a(domain.size());
  std::vector<Fr> b(domain.size());
  EXPECT_TRUE(r1cs::multiply(shape, r1cs::Matrix::kA, witness, a, executor));
  EXPECT_TRUE(r1cs::multiply(shape, r1cs::Matrix::kB, witness, b, executor));
  const auto da = derivative(domain, a);
  const auto db = derivative(domain, b);
  const Fr scale = (Fr::from_u64(domain.size()) * ntt::domain_quotient_factor(domain)).inverse();
  std::vector<Fr> out(domain.size());
  for (std::size_t p = 0; p < out.size(); ++p) {
    const std::size_t j = reversed(p, domain.log_size());
    out[p] = scale * (a[j] * db[j] + b[j] * da[j]);
  }
  return out;
}

/// What the H and L points of a parameter file become multiples of in the basis of the domain.
struct DomainScalars {
  std::vector<Fr> h;         ///< at p, row j = bitrev(p)
  std::vector<Fr> c_inputs;  ///< what L loses
  std::vector<Fr> c_aux;
};

/// @param with_last  whether H has the point of the quotient's last coefficient, which is zero: no
///                   file has it, points made from a trapdoor do
inline DomainScalars domain_scalars(const r1cs::Shape& shape, const ntt::Domain& domain,
                                    const TestTrapdoor& trapdoor, bool with_last,
                                    const Executor& executor) {
  DomainScalars out{std::vector<Fr>(domain.size()), std::vector<Fr>(shape.inputs()),
                    std::vector<Fr>(shape.aux())};
  domain_h_scalars(domain, trapdoor, 0, out.h, executor);
  std::vector<Fr> weights = value_of(lagrange_at(domain, trapdoor.tau, shape.rows(), executor));
  to_folded_weights(domain, trapdoor, weights, executor);
  const Fr& m_inverse = domain.size_inverse();
  const Fr last = trapdoor.tau.pow(domain.size() - 1) * domain.vanishing(trapdoor.tau) *
                  trapdoor.delta.inverse() * m_inverse;
  const Fr of_h = last * ntt::domain_quotient_factor(domain);
  const Fr of_c = last * m_inverse * Fr::from_u64(domain.size() - 1);
  Fr power = Fr::one();
  for (std::size_t j = 0; j < domain.size() && !with_last; ++j, power *= domain.omega()) {
    out.h[reversed(j, domain.log_size())] -= of_h * power;
    if (j < weights.size()) weights[j] -= of_c * power;
  }
  EXPECT_TRUE(r1cs::accumulate_columns(shape, r1cs::Matrix::kC, weights, out.c_inputs, out.c_aux,
                                       executor));
  return out;
}

}  // namespace belfry::groth16::test
