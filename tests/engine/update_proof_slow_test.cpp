// One complete 2 KiB SnapDeals proof: parameters from the recorded trapdoor, then the recorded
// proof from its vanilla proof.
#include <gtest/gtest.h>

#include "engine/recorded_sector.h"
#include "engine/recorded_update.h"

namespace belfry::engine {
namespace {

TEST(UpdateProof, ParametersAndProofOf2KiBEqualTheReference) {
  const test::TestParameters parameters("update-2KiB");
  test::expect_recorded_files(parameters);
  const test::RecordedUpdate update("update-2kib");
  const auto proof = prove_update(update.files(), update.claim(),
                                  {groth16::test::recorded_randomness(0)}, parameters.options());
  ASSERT_TRUE(proof) << proof.error().describe();
  EXPECT_EQ(to_hex(proof->proof), to_hex(belfry::test::read_vector("update-2kib/proof.bin")));
  EXPECT_TRUE(proof->test_randomness);
  EXPECT_TRUE(proof->origin.test_parameters);
  const auto valid = verify_update(proof->proof, update.claim(), parameters.options());
  ASSERT_TRUE(valid);
  EXPECT_TRUE(*valid);
}

}  // namespace
}  // namespace belfry::engine
