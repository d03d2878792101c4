#include "belfry/groth16/keygen/part_scalars.h"

#include <gtest/gtest.h>

#include "belfry/groth16/keygen/domain_basis.h"
#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/r1cs/multiply.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

class PartScalarMaking : public testing::Test {
 protected:
  explicit PartScalarMaking(std::uint64_t blocks = 5) : system_(blocks, 20) {}

  /// The lists of all variables, put together from the parts; `together` blocks at a time.
  QueryScalars in_parts(QuotientBasis basis, std::uint64_t together, InputScalars& inputs) const {
    auto maker = test::value_of(PartScalarMaker::create(shape_, basis, trapdoor_, work_));
    QueryScalars out;
    std::vector<PartScalars> parts;
    for (std::uint64_t first = 0; first < shape_.blocks(); first += together) {
      auto some = test::value_of(maker.blocks(first, std::min(together, shape_.blocks() - first)));
      std::move(some.begin(), some.end(), std::back_inserter(parts));
    }
    auto rest = test::value_of(std::move(maker).rest());
    parts.insert(parts.begin(), rest.header);
    const auto append = [](std::vector<Fr>& to, const std::vector<Fr>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    for (const PartScalars& part : parts) {
      append(out.l, part.l);
      append(out.a.aux, part.a);
      append(out.b.aux, part.b);
    }
    inputs = rest.inputs;
    return out;
  }

  Executor executor_{2};
  WorkView work_{executor_};
  test::BlocksSystem system_;
  r1cs::Shape shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
  ntt::Domain domain_ = test::value_of(ntt::Domain::for_rows(shape_.rows()));
  TestTrapdoor trapdoor_ = test::recorded_trapdoor();
};

TEST_F(PartScalarMaking, GivesTheScalarsOfAParameterFile) {
  const QueryScalars expected = test::value_of(query_scalars(shape_, domain_, trapdoor_, work_));
  for (const std::uint64_t together : {1u, 2u, 5u, 9u}) {
    InputScalars inputs;
    const QueryScalars found = in_parts(QuotientBasis::kCoefficients, together, inputs);
    EXPECT_EQ(found.l, expected.l);
    EXPECT_EQ(found.a.aux, expected.a.aux);
    EXPECT_EQ(found.b.aux, expected.b.aux);
    EXPECT_EQ(inputs.ic, expected.ic);
    EXPECT_EQ(inputs.a, expected.a.inputs);
    EXPECT_EQ(inputs.b, expected.b.inputs);
    EXPECT_TRUE(inputs.l.empty());
  }
}

/// Callers step by this number: it is never zero, also where a system is a header alone.
TEST_F(PartScalarMaking, TakesAtLeastOneBlockAtATime) {
  const auto maker = test::value_of(
      PartScalarMaker::create(shape_, QuotientBasis::kCoefficients, trapdoor_, work_));
  const std::uint64_t many = std::uint64_t{1} << 40;
  EXPECT_EQ(maker.blocks_within(0), 1U);
  EXPECT_GT(maker.blocks_within(many), shape_.blocks());
  EXPECT_LT(maker.blocks_within(many), many);
  const r1cs::Shape header = test::shape_of(test::MiniSystem("tiny"), "tiny");
  const auto of_header = test::value_of(PartScalarMaker::create(
      header, QuotientBasis::kCoefficients, test::recorded_trapdoor("tiny"), work_));
  EXPECT_EQ(of_header.blocks_within(0), 1U);
  EXPECT_EQ(of_header.blocks_within(many), 1U);
}

TEST_F(PartScalarMaking, FoldsCIntoLOnTheDomain) {
  QueryScalars expected = test::value_of(query_scalars(shape_, domain_, trapdoor_, work_));
  auto weights = test::value_of(lagrange_at(domain_, trapdoor_.tau, shape_.rows(), executor_));
  to_folded_weights(domain_, trapdoor_, weights, executor_);
  std::vector<Fr> input_sums(shape_.inputs());
  std::vector<Fr> aux_sums(shape_.aux());
  ASSERT_TRUE(
      r1cs::accumulate_columns(shape_, r1cs::Matrix::kC, weights, input_sums, aux_sums, executor_));
  for (std::size_t i = 0; i < aux_sums.size(); ++i) expected.l[i] -= aux_sums[i];
  for (Fr& sum : input_sums) sum = -sum;
  InputScalars inputs;
  const QueryScalars found = in_parts(QuotientBasis::kDomain, 2, inputs);
  EXPECT_EQ(found.l, expected.l);
  EXPECT_EQ(found.a.aux, expected.a.aux);
  EXPECT_EQ(inputs.l, input_sums);
  EXPECT_EQ(inputs.ic, expected.ic);
}

TEST_F(PartScalarMaking, RefusesWhatKeysRefuse) {
  TestTrapdoor bad = trapdoor_;
  bad.tau = domain_.omega();
  const auto root = PartScalarMaker::create(shape_, QuotientBasis::kDomain, bad, work_);
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().code, ErrorCode::kInvalidUsage);
  bad = trapdoor_;
  bad.delta = Fr::zero();
  const auto zero = PartScalarMaker::create(shape_, QuotientBasis::kDomain, bad, work_);
  ASSERT_FALSE(zero);
  EXPECT_EQ(zero.error().section, "delta");
}

/// A system without blocks is a header alone.
class PartScalarMakingWithoutBlocks : public PartScalarMaking {
 protected:
  PartScalarMakingWithoutBlocks() : PartScalarMaking(0) {}
};
TEST_F(PartScalarMakingWithoutBlocks, IsTheHeader) {
  const QueryScalars expected = test::value_of(query_scalars(shape_, domain_, trapdoor_, work_));
  InputScalars inputs;
  const QueryScalars found = in_parts(QuotientBasis::kCoefficients, 1, inputs);
  EXPECT_EQ(found.l, expected.l);
  EXPECT_EQ(inputs.ic, expected.ic);
}

}  // namespace
}  // namespace belfry::groth16
