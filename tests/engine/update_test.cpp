// SnapDeals requests that are refused before anything is made, and verification with the recorded
// key. Whole proofs are in the slow suite.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "belfry/engine/jobs/parameter_files.h"
#include "engine/recorded_update.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;

class UpdateRequests : public testing::Test {
 protected:
  const test::RecordedUpdate two_kib{"update-2kib"};
  const test::RecordedUpdate eight_mib{"update-8mib-vanilla"};
  belfry::test::TempDir dir;
  Executor executor{2};

  /// No parameters and no shape are there: what is refused is refused without them.
  [[nodiscard]] JobOptions options() const {
    return {.params_dir = dir / "none", .cache_dir = dir / "cache", .executor = executor};
  }
  /// A section of a refusal that is about the claims of this update.
  static std::string of(const UpdateClaim& claim, const std::string& field) {
    return "sector with comm_r_old " + to_hex(claim.comm_r_old) + ", " + field;
  }
  void expect_refused(const std::vector<VanillaFileView>& files, const UpdateClaim& claim,
                      const std::string& section) const {
    const auto proof = prove_update(files, claim, {}, options());
    ASSERT_FALSE(proof) << section;
    EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().describe();
    EXPECT_EQ(proof.error().section, section) << proof.error().describe();
    EXPECT_EQ(proof.error().file.empty(), !section.starts_with("sector ")) << section;
    EXPECT_FALSE(std::filesystem::exists(options().cache_dir));
  }
};

TEST_F(UpdateRequests, GoodOnesAskForParameters) {
  const auto proof = prove_update(two_kib.files(), two_kib.claim(), {}, options());
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kNotFound);
}

TEST_F(UpdateRequests, WrongNumbersOfPartitionsAreRefused) {
  auto files = eight_mib.files();
  files.pop_back();
  expect_refused(files, eight_mib.claim(), "StackedDrg8MiBV1");
  files = eight_mib.files();
  files.push_back(files.front());
  expect_refused(files, eight_mib.claim(), "StackedDrg8MiBV1");
  expect_refused({}, eight_mib.claim(), "StackedDrg8MiBV1");
}

TEST_F(UpdateRequests, OtherSectorSizesAreRefused) {
  UpdateClaim claim = two_kib.claim();
  claim.type = *filecoin::find_update_proof("StackedDrg8MiBV1");
  expect_refused({4, two_kib.files().front()}, claim, of(claim, "vanilla_proofs[0].apex_leaves"));
  claim = eight_mib.claim();
  claim.type = *filecoin::find_update_proof("StackedDrg32GiBV1");
  expect_refused({16, eight_mib.files().front()}, claim,
                 of(claim, "vanilla_proofs[0].challenge_proofs"));
  claim.type = *filecoin::find_update_proof("StackedDrg2KiBV1");
  expect_refused({eight_mib.files().front()}, claim, of(claim, "vanilla_proofs[0].apex_leaves"));
}

TEST_F(UpdateRequests, PartitionsInAnotherOrderAreRefused) {
  auto files = eight_mib.files();
  std::swap(files[2], files[3]);
  expect_refused(files, eight_mib.claim(),
                 of(eight_mib.claim(), "vanilla_proofs[2].challenge_proofs[0].proof_r_old.path"));
  files[2].name = "third";
  const auto proof = prove_update(files, eight_mib.claim(), {}, options());
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().file, "third");
}

TEST_F(UpdateRequests, SwappedAndForeignCommitmentsAreRefused) {
  UpdateClaim claim = eight_mib.claim();
  std::swap(claim.comm_r_old, claim.comm_r_new);
  expect_refused(eight_mib.files(), claim, of(claim, "vanilla_proofs[0].comm_r_old"));
  claim = eight_mib.claim();
  std::swap(claim.comm_r_new, claim.comm_d_new);
  expect_refused(eight_mib.files(), claim, of(claim, "vanilla_proofs[0].comm_r_new"));
  claim = eight_mib.claim();
  claim.comm_d_new = two_kib.claim().comm_d_new;
  expect_refused(eight_mib.files(), claim,
                 of(claim, "vanilla_proofs[0].challenge_proofs[0].proof_d_new.root"));
  claim = eight_mib.claim();
  claim.comm_r_old.fill(0xff);
  expect_refused(eight_mib.files(), claim, "comm_r_old");
}

TEST_F(UpdateRequests, DamagedBytesAreNamedWithTheirFile) {
  std::vector<std::uint8_t> damaged = read_vector("update-2kib/vanilla-0.bin");
  damaged[0] ^= 1;
  expect_refused({{damaged, "v.bin"}}, two_kib.claim(),
                 of(two_kib.claim(), "vanilla_proofs[0].comm_r_old"));
  damaged[31] = 0xff;
  const auto proof = prove_update(std::vector<VanillaFileView>{{damaged, "v.bin"}}, two_kib.claim(),
                                  {}, options());
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().file, "v.bin");
  EXPECT_EQ(proof.error().section, of(two_kib.claim(), "vanilla_proofs[0].comm_c"));
  EXPECT_EQ(proof.error().offset, 0U);
}

/// The recorded key in the place of ours.
class UpdateVerification : public testing::Test {
 protected:
  const test::RecordedUpdate recorded{"update-2kib"};
  const std::vector<std::uint8_t> proof = read_vector("update-2kib/proof.bin");
  belfry::test::TempDir dir;
  Executor executor{2};

  [[nodiscard]] JobOptions options() const {
    return {.params_dir = dir.path(), .cache_dir = dir / "cache", .executor = executor};
  }
  void SetUp() override {
    const filecoin::Circuit circuit = *filecoin::find_circuit("update-2KiB");
    const auto key = key_path(circuit, options());
    std::filesystem::copy_file(belfry::test::vector_path("parameters/" + key.filename().string()),
                               key);
  }
};

TEST_F(UpdateVerification, AcceptsTheRecordedProof) {
  const auto valid = verify_update(proof, recorded.claim(), options());
  ASSERT_TRUE(valid) << valid.error().describe();
  EXPECT_TRUE(*valid);
}

TEST_F(UpdateVerification, AnotherClaimIsNotProved) {
  const std::vector<std::function<void(UpdateClaim&)>> changes{
      [](UpdateClaim& claim) { claim.comm_r_old[0] ^= 1; },
      [](UpdateClaim& claim) { claim.comm_r_new[0] ^= 1; },
      [](UpdateClaim& claim) { claim.comm_d_new[0] ^= 1; },
      [](UpdateClaim& claim) { std::swap(claim.comm_r_old, claim.comm_r_new); }};
  for (const auto& change : changes) {
    UpdateClaim claim = recorded.claim();
    change(claim);
    const auto valid = verify_update(proof, claim, options());
    ASSERT_TRUE(valid) << valid.error().describe();
    EXPECT_FALSE(*valid);
  }
}

TEST_F(UpdateVerification, DamagedProofsAreNoneOrNotValid) {
  for (std::size_t at = 0; at < proof.size(); at += 13) {
    std::vector<std::uint8_t> damaged = proof;
    damaged[at] ^= 4;
    const auto valid = verify_update(damaged, recorded.claim(), options());
    if (valid) {
      EXPECT_FALSE(*valid) << at;
    } else {
      EXPECT_EQ(valid.error().code, ErrorCode::kInvalidInput) << at;
    }
  }
  std::vector<std::uint8_t> longer = proof;
  longer.insert(longer.end(), proof.begin(), proof.end());
  EXPECT_EQ(verify_update(longer, recorded.claim(), options()).error().code,
            ErrorCode::kInvalidInput);
  UpdateClaim claim = recorded.claim();
  claim.comm_d_new.fill(0xff);
  EXPECT_EQ(verify_update(proof, claim, options()).error().section, "comm_d_new");
}

}  // namespace
}  // namespace belfry::engine
