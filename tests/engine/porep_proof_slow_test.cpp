// Every recorded PoRep proof of one partition, with the recorded blinding and with none.
#include <gtest/gtest.h>

#include "belfry/filecoin/formats/c1.h"
#include "engine/recorded_sector.h"

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
  EXPECT_EQ(test::proof_hex(*c1, {Fr::zero(), Fr::zero()}, options),
            to_hex(read_vector(folder + "/proof-r0-s0.bin")));
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
