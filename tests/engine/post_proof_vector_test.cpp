// Parameters of the 2 KiB PoSt circuits from the recorded trapdoor, and the recorded proofs from
// their vanilla proofs, byte for byte.
#include <gtest/gtest.h>

#include "belfry/engine/jobs/post.h"
#include "engine/recorded_files.h"
#include "engine/recorded_sector.h"

namespace belfry::engine {
namespace {

using belfry::test::read_recorded_post;
using belfry::test::read_vector;

std::vector<groth16::ProofRandomness> recorded_randomness(std::size_t partitions) {
  std::vector<groth16::ProofRandomness> randomness;
  for (std::size_t k = 0; k < partitions; ++k) {
    randomness.push_back(groth16::test::recorded_randomness(k));
  }
  return randomness;
}

void expect_recorded_proof(const Result<VerifiedProof>& proof, const std::string& file) {
  ASSERT_TRUE(proof) << proof.error().describe();
  EXPECT_TRUE(proof->test_randomness);
  EXPECT_TRUE(proof->test_parameters);
  EXPECT_EQ(to_hex(proof->proof), to_hex(read_vector(file)));
}

TEST(WinningProof, ParametersAndProofOf2KiBEqualTheReference) {
  const test::TestParameters parameters("winning-2KiB");
  test::expect_recorded_files(parameters);
  const test::RecordedFiles files(read_recorded_post("winning-2kib"));
  expect_recorded_proof(prove_winning(files.views().front(), test::recorded_request("winning-2kib"),
                                      recorded_randomness(1), parameters.options()),
                        "winning-2kib/proof.bin");
}

TEST(WindowProof, ParametersAndProofsOf2KiBEqualTheReference) {
  const test::TestParameters parameters("window-2KiB");
  test::expect_recorded_files(parameters);
  for (const auto& [folder, partitions] :
       {std::pair{std::string("window-2kib-1sector"), 1U}, {"window-2kib-3sectors", 2U}}) {
    const test::RecordedFiles files(read_recorded_post(folder));
    const auto proof = prove_window(files.views(), test::recorded_request(folder),
                                    recorded_randomness(partitions), parameters.options());
    expect_recorded_proof(proof, folder + "/proof.bin");
  }
}

TEST(WindowProof, ParametersAndProofOf32KiBEqualTheReference) {
  const test::TestParameters parameters("window-32KiB");
  test::expect_recorded_files(parameters);
  const auto post = belfry::test::read_recorded_32kib_post().parsed();
  expect_recorded_proof(prove_post(post, recorded_randomness(1), parameters.options()),
                        "porep-32kib/window/proof.bin");
}

TEST(WindowProof, ALieStopsBeforeProving) {
  const test::TestParameters parameters("window-2KiB");
  auto post = read_recorded_post("window-2kib-3sectors").parsed();
  post.sectors[2].inclusions[5].leaf = FrBytes(Fr::from_u64(1));
  const auto proof = prove_post(post, recorded_randomness(2), parameters.options());
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(proof.error().section, "partition 1, sector 7, inclusion_proofs[5].path");
}

}  // namespace
}  // namespace belfry::engine
