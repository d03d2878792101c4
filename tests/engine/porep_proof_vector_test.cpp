// One complete 2 KiB PoRep proof: parameters from the recorded trapdoor, then the recorded proof
// from its C1 output. The slow suite has the other sectors.
#include <gtest/gtest.h>

#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "engine/recorded_sector.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;

TEST(PorepProof, ParametersAndProofOf2KiBEqualTheReference) {
  const test::TestParameters parameters("porep-2KiB");
  test::expect_recorded_files(parameters);
  const auto c1 = filecoin::parse_c1(read_vector("porep-2kib-v1_1/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  EXPECT_EQ(test::proof_hex(*c1, groth16::test::recorded_randomness(0), parameters.options()),
            to_hex(read_vector("porep-2kib-v1_1/proof.bin")));

  // A claim that contradicts itself is named with its file, partition, challenge and field.
  filecoin::C1Output lie = *c1;
  lie.partitions[0][1].exp_parents[2].inclusion.positions[0] ^= 1;
  const auto refused = prove_porep(as_bytes(filecoin::write_c1(lie)), "c1.json",
                                   {.miner = 1000, .sector = 1}, {}, parameters.options());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(refused.error().file, "c1.json");
  EXPECT_EQ(
      refused.error().section,
      "sector 1, vanilla_proofs[0][1].replica_column_proofs.exp_parents[2].inclusion_proof.path");
}

}  // namespace
}  // namespace belfry::engine
