// The recorded 2 KiB PoRep proof, made by the CUDA backend from a parameter file.
#include <gtest/gtest.h>

#include "belfry/filecoin/formats/c1.h"
#include "engine/recorded_sector.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;

TEST(PorepProofOnDevice, Of2KiBEqualsTheReference) {
  const test::TestParameters parameters("porep-2KiB");
  const auto c1 = filecoin::parse_c1(read_vector("porep-2kib-v1_1/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  JobOptions options = parameters.options();
  options.backend = BackendPolicy::kCuda;
  const auto proof = prove_porep(*c1, {groth16::test::recorded_randomness(0)}, options);
  ASSERT_TRUE(proof) << proof.error().describe();
  EXPECT_EQ(proof->backend, "cuda");
  EXPECT_EQ(to_hex(proof->proof), to_hex(read_vector("porep-2kib-v1_1/proof.bin")));
}

}  // namespace
}  // namespace belfry::engine
