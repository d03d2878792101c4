#include "belfry/groth16/keygen/domain_basis.h"

#include <gtest/gtest.h>

#include "belfry/groth16/prove/quotient.h"
#include "belfry/ntt/tree_plan.h"
#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/multiply.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

/// omega^j·p'(omega^j) for all j, by definition: D(p) = X·p'.
std::vector<Fr> derivative(const ntt::Domain& domain, const std::vector<Fr>& values) {
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

/// Σ h_k·tau^k·Z/delta from the quotient's coefficients, and the same from its values on the domain
/// with what C adds taken from the assignment.
TEST(DomainBasis, GivesTheSameSumAsTheCoefficients) {
  const Executor executor(1);
  for (const std::uint64_t blocks : {0u, 1u, 3u}) {
    const test::BlocksSystem system(blocks, 5);
    const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
    const r1cs::PackedWitness witness =
        test::value_of(r1cs::compute_witness(shape.layout(), system, executor));
    const ntt::Domain domain = test::value_of(ntt::Domain::for_rows(shape.rows()));
    const TestTrapdoor trapdoor = test::recorded_trapdoor();

    const auto h = test::value_of(quotient_coefficients(shape, witness, {executor}));
    Fr expected = Fr::zero();
    Fr point = domain.vanishing(trapdoor.tau) * trapdoor.delta.inverse();
    for (std::size_t k = 0; k < h.size(); ++k, point *= trapdoor.tau) expected += h[k] * point;

    std::vector<Fr> a(domain.size());
    std::vector<Fr> b(domain.size());
    ASSERT_TRUE(r1cs::multiply(shape, r1cs::Matrix::kA, witness, a, executor));
    ASSERT_TRUE(r1cs::multiply(shape, r1cs::Matrix::kB, witness, b, executor));
    const auto da = derivative(domain, a);
    const auto db = derivative(domain, b);
    const auto scalars = test::value_of(domain_basis_scalars(shape, domain, trapdoor, {executor}));
    ASSERT_EQ(scalars.h.size(), domain.size());
    const Fr scale = (Fr::from_u64(domain.size()) * ntt::domain_quotient_factor(domain)).inverse();
    Fr found = Fr::zero();
    for (std::size_t p = 0; p < domain.size(); ++p) {
      std::size_t j = 0;
      for (unsigned bit = 0; bit < domain.log_size(); ++bit) {
        j |= ((p >> bit) & 1) << (domain.log_size() - 1 - bit);
      }
      found += scale * (a[j] * db[j] + b[j] * da[j]) * scalars.h[p];
    }
    const r1cs::WitnessLookupView values(shape, witness);
    for (std::uint64_t i = 0; i < shape.inputs(); ++i) {
      found -= scalars.c.inputs[i] * witness.inputs()[i];
    }
    for (std::uint64_t i = 0; i < shape.aux(); ++i) found -= scalars.c.aux[i] * values.aux(i);
    EXPECT_EQ(found, expected) << blocks;
  }
}

TEST(DomainBasis, RefusesARootOfTheDomain) {
  const Executor executor(1);
  const test::BlocksSystem system(1, 5);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  const ntt::Domain domain = test::value_of(ntt::Domain::for_rows(shape.rows()));
  TestTrapdoor trapdoor = test::recorded_trapdoor();
  trapdoor.tau = domain.omega();
  const auto refused = domain_basis_scalars(shape, domain, trapdoor, {executor});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidUsage);
}

}  // namespace
}  // namespace belfry::groth16
