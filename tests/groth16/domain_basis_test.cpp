#include "belfry/groth16/keygen/domain_basis.h"

#include <gtest/gtest.h>

#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/groth16/prove/quotient.h"
#include "belfry/r1cs/aux_values.h"
#include "groth16/blocks_system.h"
#include "groth16/domain_values.h"
#include "groth16/recorded.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

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

    std::vector<Fr> points(domain.size());
    domain_h_scalars(domain, trapdoor, 0, points, executor);
    auto weights = test::value_of(lagrange_at(domain, trapdoor.tau, shape.rows(), executor));
    to_folded_weights(domain, trapdoor, weights, executor);
    ColumnValues folded{std::vector<Fr>(shape.inputs()), std::vector<Fr>(shape.aux())};
    ASSERT_TRUE(r1cs::accumulate_columns(shape, r1cs::Matrix::kC, weights, folded.inputs,
                                         folded.aux, executor));
    const auto values_of_h = test::domain_quotient(shape, witness, domain, executor);
    Fr found = Fr::zero();
    for (std::size_t p = 0; p < domain.size(); ++p) found += values_of_h[p] * points[p];
    const r1cs::WitnessLookupView values(shape, witness);
    for (std::uint64_t i = 0; i < shape.inputs(); ++i) {
      found -= folded.inputs[i] * witness.inputs()[i];
    }
    for (std::uint64_t i = 0; i < shape.aux(); ++i) found -= folded.aux[i] * values.aux(i);
    EXPECT_EQ(found, expected) << blocks;
  }
}

/// Any power of two of positions is made alone.
TEST(DomainBasis, PiecesAreThoseOfTheWhole) {
  const Executor executor(2);
  const ntt::Domain domain = test::value_of(ntt::Domain::of_log_size(6));
  const TestTrapdoor trapdoor = test::recorded_trapdoor();
  std::vector<Fr> whole(domain.size());
  domain_h_scalars(domain, trapdoor, 0, whole, executor);
  for (std::size_t size = 1; size <= domain.size(); size *= 2) {
    for (std::size_t first = 0; first < domain.size(); first += size) {
      std::vector<Fr> piece(size);
      domain_h_scalars(domain, trapdoor, first, piece, executor);
      EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + first)) << size;
    }
  }
}

}  // namespace
}  // namespace belfry::groth16
