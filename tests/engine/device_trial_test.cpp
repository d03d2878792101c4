// Where a trial may write: a path of its own, which is free before and after. Without a card.
#include "belfry/engine/jobs/device_trial.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "belfry/engine/jobs/scratch_file.h"
#include "groth16/support.h"
#include "support/points.h"
#include "support/temp_dir.h"

namespace belfry::engine {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Scratch : public testing::Test {
 protected:
  belfry::test::TempDir dir_;
  std::filesystem::path path_ = dir_ / "points";
};

TEST_F(Scratch, IsTakenAtOnceAndRemovedAtTheEnd) {
  {
    auto file = ScratchFile::reserve(path_);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->path(), path_);
    EXPECT_TRUE(std::filesystem::exists(path_));
    EXPECT_FALSE(ScratchFile::reserve(path_)) << "taken";
    const ScratchFile moved = *std::move(file);
    EXPECT_TRUE(std::filesystem::exists(path_));
    std::ofstream(path_) << "what a trial writes";
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Scratch, LeavesWhatStandsThereAlone) {
  std::ofstream(path_) << "of somebody";
  std::filesystem::create_symlink(dir_ / "nowhere", dir_ / "link");
  for (const auto& path : {path_, dir_.path(), dir_ / "link", dir_ / "no" / "folder"}) {
    const auto refused = ScratchFile::reserve(path);
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidUsage);
    EXPECT_EQ(refused.error().file, path.string());
  }
  EXPECT_EQ(read(path_), "of somebody");
  EXPECT_TRUE(std::filesystem::is_symlink(dir_ / "link"));
}

/// The circuit is of 32 GiB: what is not refused before any work would take minutes.
TEST_F(Scratch, ATrialRefusesAWrongOneBeforeAnyWork) {
  const Executor executor(1);
  const JobOptions options{.params_dir = {}, .cache_dir = {}, .executor = executor};
  const auto circuit = filecoin::find_circuit("porep-32GiB");
  ASSERT_TRUE(circuit);
  std::ofstream(path_) << "of somebody";
  const auto taken = try_on_device(*circuit, {.cuda = {}, .scratch_file = path_}, options);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::kInvalidUsage);
  EXPECT_EQ(taken.error().file, path_.string());
  EXPECT_EQ(read(path_), "of somebody");
  const auto of_coefficients = try_on_device(
      *circuit,
      {.cuda = {}, .basis = groth16::QuotientBasis::kCoefficients, .scratch_file = dir_ / "free"},
      options);
  ASSERT_FALSE(of_coefficients);
  EXPECT_EQ(of_coefficients.error().code, ErrorCode::kInvalidUsage);
  EXPECT_FALSE(std::filesystem::exists(dir_ / "free"));
}

/// What a card proved counts as its bytes are read: beside G1 no pairing would notice.
TEST(Trial, ProofsWithPointsOutsideTheirSubgroupAreBad) {
  const Executor executor(1);
  const JobOptions options{.params_dir = {}, .cache_dir = {}, .executor = executor};
  const auto parameters = groth16::test::open_mini("tiny");
  const std::vector<std::vector<Fr>> inputs{{Fr::from_u64(90)}};
  groth16::Proof proof = groth16::test::value_of(
      groth16::parse_proof(belfry::test::read_vector("mini/tiny/proof.bin")));
  const auto check = [&] {
    return verify_trial(parameters.verifying_key(), std::span(&proof, 1), inputs, options, "here");
  };
  EXPECT_TRUE(check());
  std::mt19937_64 rng(1);
  proof.a = (curve::G1Jacobian::from_affine(proof.a) +
             belfry::test::point_beside_subgroup<curve::G1>(rng))
                .to_affine();
  const auto bad = check();
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kBackendFailed);
  EXPECT_EQ(bad.error().stage, "here");
}

}  // namespace
}  // namespace belfry::engine
