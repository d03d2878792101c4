#include "belfry/groth16/verify/verify.h"

#include <random>

#include "groth16/support.h"
#include "support/points.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using test::Bytes;

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

/// What lies beside the subgroup of G1 weighs nothing in a pairing: only reading the bytes tells.
TEST_F(TinyProof, PointsOutsideTheirSubgroupsDoNotHoldAsBytes) {
  const std::vector<std::vector<Fr>> lists{inputs_, inputs_};
  const auto holds = [&](const Proof& second) {
    const Bytes bytes = encode(std::vector{proof_, second});
    return test::value_of(verify_bytes(key_, bytes, lists, executor_));
  };
  EXPECT_TRUE(holds(proof_));
  std::mt19937_64 rng(1);
  const auto g1 = belfry::test::point_beside_subgroup<curve::G1>(rng);
  const auto g2 = belfry::test::point_beside_subgroup<curve::G2>(rng);
  Proof beside = proof_;
  beside.a = (curve::G1Jacobian::from_affine(proof_.a) + g1).to_affine();
  beside.c = (curve::G1Jacobian::from_affine(proof_.c) - g1).to_affine();
  EXPECT_TRUE(test::value_of(verify_batch(key_, std::vector{proof_, beside}, lists, executor_)));
  EXPECT_FALSE(holds(beside));
  beside = proof_;
  beside.b = (curve::G2Jacobian::from_affine(proof_.b) + g2).to_affine();
  EXPECT_FALSE(holds(beside));
}

TEST_F(TinyProof, BytesThatAreNoProofsDoNotHold) {
  const std::vector<std::vector<Fr>> lists{inputs_};
  Bytes bytes = read_vector("mini/tiny/proof.bin");
  EXPECT_TRUE(test::value_of(verify_bytes(key_, bytes, lists, executor_)));
  bytes.push_back(0);
  EXPECT_FALSE(test::value_of(verify_bytes(key_, bytes, lists, executor_)));
  bytes.resize(kProofBytes);
  bytes[0] ^= 0x80;
  EXPECT_FALSE(test::value_of(verify_bytes(key_, bytes, lists, executor_)));
}

}  // namespace
}  // namespace belfry::groth16
