// Parameters of the 2 KiB PoSt circuits from the recorded trapdoor, and the recorded proofs from
// their vanilla proofs, byte for byte.
#include <gtest/gtest.h>

#include "belfry/engine/jobs/post.h"
#include "engine/listener.h"
#include "engine/recorded_files.h"
#include "engine/recorded_sector.h"
#include "engine/small_budget.h"

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
  EXPECT_TRUE(proof->origin.test_parameters);
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

class WindowProof2KiB : public testing::Test {
 protected:
  static void SetUpTestSuite() { parameters_ = new test::TestParameters("window-2KiB"); }
  static void TearDownTestSuite() {
    delete parameters_;
    parameters_ = nullptr;
  }

  static test::TestParameters* parameters_;
};

test::TestParameters* WindowProof2KiB::parameters_ = nullptr;

TEST_F(WindowProof2KiB, ParametersAndProofsEqualTheReference) {
  test::expect_recorded_files(*parameters_);
  for (const auto& [folder, partitions] :
       {std::pair{std::string("window-2kib-1sector"), 1U}, {"window-2kib-3sectors", 2U}}) {
    const test::RecordedFiles files(read_recorded_post(folder));
    const auto proof = prove_window(files.views(), test::recorded_request(folder),
                                    recorded_randomness(partitions), parameters_->options());
    expect_recorded_proof(proof, folder + "/proof.bin");
  }
}

TEST_F(WindowProof2KiB, WithMemoryForOnePartitionTheProofIsTheSame) {
  JobOptions options = parameters_->options();
  options.memory_budget_bytes = test::budget_for(parameters_->circuit(), 1, options);
  const test::RecordedFiles files(read_recorded_post("window-2kib-3sectors"));
  const auto request = test::recorded_request("window-2kib-3sectors");
  test::Listener listener;
  options.tracer = listener.tracer();
  expect_recorded_proof(prove_window(files.views(), request, recorded_randomness(2), options),
                        "window-2kib-3sectors/proof.bin");
  EXPECT_EQ(listener.spans("engine.proof.prove"), 2U);
  options.memory_budget_bytes -= 1;
  const auto refused = prove_window(files.views(), request, recorded_randomness(2), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
}

TEST_F(WindowProof2KiB, ALieStopsBeforeProving) {
  auto post = read_recorded_post("window-2kib-3sectors").parsed();
  post.sectors[2].inclusions[5].leaf = FrBytes(Fr::from_u64(1));
  post.sectors[0].inclusions[9].siblings[3] = FrBytes(Fr::from_u64(1));
  JobOptions options = parameters_->options();
  // Also where the first partition would be proved before the second is prepared for that.
  for (const std::uint64_t budget :
       {std::uint64_t{0}, test::budget_for(parameters_->circuit(), 1, options)}) {
    options.memory_budget_bytes = budget;
    test::Listener listener;
    options.tracer = listener.tracer();
    std::vector<std::string> sections;
    const auto proof = prove_post(post, recorded_randomness(2), options,
                                  [&sections](const RefusedSectors& refused) {
                                    for (const RefusedSector& sector : refused.named) {
                                      sections.push_back(sector.error.section);
                                    }
                                  });
    ASSERT_FALSE(proof);
    EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(proof.error().section, "partition 0, sector 1, inclusion_proofs[9].path");
    EXPECT_NE(proof.error().hint.find("1, 7"), std::string::npos) << proof.error().hint;
    // A lie that only hashes refute hides none of another partition.
    EXPECT_EQ(sections,
              (std::vector<std::string>{"partition 0, sector 1, inclusion_proofs[9].path",
                                        "partition 1, sector 7, inclusion_proofs[5].path"}));
    EXPECT_EQ(listener.spans("engine.proof.prove"), 0U);
  }
}

TEST(WindowProof, ParametersAndProofOf32KiBEqualTheReference) {
  const test::TestParameters parameters("window-32KiB");
  test::expect_recorded_files(parameters);
  const auto post = belfry::test::read_recorded_32kib_post().parsed();
  expect_recorded_proof(prove_post(post, recorded_randomness(1), parameters.options()),
                        "porep-32kib/window/proof.bin");
}

}  // namespace
}  // namespace belfry::engine
