#include "belfry/groth16/verify/verify.h"

#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;

class TinyProof : public testing::Test {
 protected:
  Executor executor_{1};
  PreparedVerifyingKey key_{test::open_mini("tiny").verifying_key()};
  Proof proof_ = test::value_of(parse_proof(read_vector("mini/tiny/proof.bin")));
  std::vector<Fr> inputs_{Fr::from_u64(90)};
};

TEST_F(TinyProof, HoldsForNinetyAlone) {
  EXPECT_TRUE(test::value_of(verify(key_, proof_, inputs_, executor_)));
  EXPECT_FALSE(test::value_of(verify(key_, proof_, std::vector{Fr::from_u64(91)}, executor_)));
}

TEST_F(TinyProof, AnotherNumberOfInputsIsAnError) {
  const std::vector<std::vector<Fr>> lists{{}, {Fr::one(), Fr::one()}};
  for (const auto& inputs : lists) {
    const auto outcome = verify(key_, proof_, inputs, executor_);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidInput);
    const std::vector<std::vector<Fr>> batch{inputs_, inputs};
    EXPECT_FALSE(verify_batch(key_, std::vector{proof_, proof_}, batch, executor_));
  }
}

TEST_F(TinyProof, BatchesNeedOneListAProof) {
  const std::vector<Proof> none;
  const std::vector<std::vector<Fr>> lists{inputs_};
  EXPECT_EQ(verify_batch(key_, none, {}, executor_).error().code, ErrorCode::kInvalidUsage);
  EXPECT_EQ(verify_batch(key_, std::vector{proof_, proof_}, lists, executor_).error().code,
            ErrorCode::kInvalidUsage);
  EXPECT_TRUE(test::value_of(verify_batch(key_, std::vector{proof_}, lists, executor_)));
}

TEST_F(TinyProof, TwoErrorsThatCancelWithoutWeightsAreFound) {
  // With equal weights the product over both proofs would not notice that delta moved from one C to
  // the other.
  Proof first = proof_;
  Proof second = proof_;
  using Point = curve::G1Jacobian;
  const auto shift = curve::G1Affine::generator();
  first.c = (Point::from_affine(first.c) + shift).to_affine();
  second.c = (Point::from_affine(second.c) - shift).to_affine();
  const std::vector<std::vector<Fr>> lists{inputs_, inputs_};
  EXPECT_FALSE(test::value_of(verify_batch(key_, std::vector{first, second}, lists, executor_)));
  EXPECT_TRUE(test::value_of(verify_batch(key_, std::vector{proof_, proof_}, lists, executor_)));
}

}  // namespace
}  // namespace belfry::groth16
