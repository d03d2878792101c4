// Every recorded PoRep proof of one partition, with the recorded blinding and with none.
#include <gtest/gtest.h>

#include "belfry/filecoin/formats/c1.h"
#include "engine/listener.h"
#include "engine/recorded_sector.h"
#include "engine/small_budget.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;

class PorepProofs : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() { parameters_ = new test::TestParameters("porep-2KiB"); }
  static void TearDownTestSuite() {
    delete parameters_;
    parameters_ = nullptr;
  }

  static test::TestParameters* parameters_;
};

test::TestParameters* PorepProofs::parameters_ = nullptr;

INSTANTIATE_TEST_SUITE_P(Vectors, PorepProofs,
                         testing::Values("porep-2kib-v1_0", "porep-2kib-v1_1",
                                         "porep-2kib-v1_2-synthetic"));

TEST_P(PorepProofs, EqualTheReference) {
  const std::string folder = GetParam();
  const auto c1 = filecoin::parse_c1(read_vector(folder + "/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  const JobOptions options = parameters_->options();
  EXPECT_EQ(test::proof_hex(*c1, groth16::test::recorded_randomness(0), options),
            to_hex(read_vector(folder + "/proof.bin")));
}

// Whoever wants the proofs of partitions has them before the job ends, and nothing counts as proved
// before the last step is done.
TEST_P(PorepProofs, AreKeptThoughALaterStepFails) {
  const std::string folder = GetParam();
  const auto c1 = filecoin::parse_c1(read_vector(folder + "/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  test::Listener listener;
  JobOptions options = parameters_->options();
  options.tracer = listener.tracer();
  std::string kept;
  const auto failed = prove_porep(*c1, {{Fr::zero(), Fr::zero()}}, options,
                                  [&kept](ByteSpan proofs) -> Result<void> {
                                    kept = to_hex(proofs);
                                    return fail(ErrorCode::kResourceExhausted, "test", "no room");
                                  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no room");
  EXPECT_EQ(kept, to_hex(read_vector(folder + "/proof-r0-s0.bin")));
  EXPECT_EQ(listener.counted(kProofs), 0);
}

TEST(NonInteractivePorepProof, ThirteenPartitionsAndTheirAggregateEqualTheReference) {
  const test::TestParameters parameters("porep-2KiB");
  const auto c1 = filecoin::parse_c1(read_vector("porep-2kib-ni/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  std::vector<groth16::ProofRandomness> randomness;
  for (std::size_t k = 0; k < c1->config.partitions(); ++k) {
    randomness.push_back(groth16::test::recorded_randomness(k));
  }
  JobOptions options = parameters.options();
  options.srs_file = belfry::test::vector_path("parameters/v28-fil-inner-product-v1.srs");
  options.memory_budget_bytes = test::budget_for(parameters.circuit(), 5, options);
  std::string kept;
  const auto proof =
      prove_porep(*c1, randomness, options, [&kept](ByteSpan proofs) -> Result<void> {
        kept = to_hex(proofs);
        return {};
      });
  ASSERT_TRUE(proof) << proof.error().describe();
  EXPECT_EQ(to_hex(proof->partition_proofs), to_hex(read_vector("porep-2kib-ni/proof.bin")));
  EXPECT_EQ(to_hex(proof->proof), to_hex(read_vector("porep-2kib-ni/aggregate.bin")));
  EXPECT_EQ(kept, to_hex(proof->partition_proofs));
  EXPECT_TRUE(proof->origin.test_parameters);
  EXPECT_TRUE(proof->origin.test_srs);
  EXPECT_EQ(proof->partitions, 13U);
  EXPECT_GT(proof->seconds.aggregate, 0);
}

TEST(PorepProof32KiB, ParametersAndProofEqualTheReference) {
  const test::TestParameters parameters("porep-32KiB");
  test::expect_recorded_files(parameters);
  filecoin::PorepConfig config{*filecoin::find_sector("32KiB"),
                               filecoin::ApiVersion::kV1_1,
                               filecoin::PorepFeature::kInteractive,
                               {}};
  config.porep_id[0] = 5;
  const auto c1 =
      filecoin::parse_c1_inner(read_vector("porep-32kib/c1-inner.json"), config, "c1-inner.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  EXPECT_EQ(test::proof_hex(*c1, groth16::test::recorded_randomness(0), parameters.options()),
            to_hex(read_vector("porep-32kib/proof.bin")));
}

}  // namespace
}  // namespace belfry::engine
