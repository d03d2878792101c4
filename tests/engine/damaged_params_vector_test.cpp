// Damaged parameters end in a refusal or in "self-check failed", never in a proof that is wrong.
// The circuit is the smallest that there is, WindowPoSt of 2 KiB, and the files are real ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "belfry/curve/encoding.h"
#include "belfry/engine/jobs/post.h"
#include "engine/listener.h"
#include "engine/recorded_files.h"
#include "engine/recorded_sector.h"
#include "groth16/support.h"
#include "support/damaged_params.h"

namespace belfry::engine {
namespace {

using belfry::test::Damage;
using groth16::kSections;
using groth16::Section;

constexpr const char* kFolder = "window-2kib-1sector";

class DamagedParameters : public testing::Test {
 protected:
  static void SetUpTestSuite() { made_ = new test::TestParameters("window-2KiB"); }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  DamagedParameters() {
    JobOptions options = made_->options();
    options.backend = BackendPolicy::kCpu;
    options.tracer = listener_.tracer();
    prove_ = [this, options] {
      return prove_window(files_.views(), test::recorded_request(kFolder),
                          {groth16::test::recorded_randomness(0)}, options);
    };
  }

  [[nodiscard]] Result<VerifiedProof> prove() const { return prove_(); }
  void expect_self_check_failed() {
    const double before = listener_.counted(kSelfCheckFailures);
    const auto proof = prove();
    ASSERT_FALSE(proof);
    EXPECT_EQ(proof.error().code, ErrorCode::kBackendFailed);
    EXPECT_TRUE(proof.error().message.starts_with("self-check failed")) << proof.error().describe();
    EXPECT_EQ(proof.error().file, file_.string());
    EXPECT_EQ(proof.error().section, "partitions 0");
    EXPECT_FALSE(proof.error().hint.empty());
    EXPECT_EQ(listener_.counted(kSelfCheckFailures), before + 1);
    EXPECT_EQ(listener_.counted(kProofs), 0);
  }

  static test::TestParameters* made_;
  test::Listener listener_;
  test::RecordedFiles files_{belfry::test::read_recorded_post(kFolder)};
  std::function<Result<VerifiedProof>()> prove_;
  std::filesystem::path file_ = made_->report().params.file;
  std::filesystem::path key_ = made_->report().vk.file;
  groth16::Parameters parameters_ = groth16::test::value_of(groth16::Parameters::open(file_));
};

test::TestParameters* DamagedParameters::made_ = nullptr;

TEST_F(DamagedParameters, WithoutDamageTheProofIsTheRecordedOne) {
  const auto proof = prove();
  ASSERT_TRUE(proof) << proof.error().describe();
  EXPECT_EQ(proof->proof, belfry::test::read_vector(std::string(kFolder) + "/proof.bin"));
}

TEST_F(DamagedParameters, ABitFlipInAPointIsRefusedUnlessTheProofHasNoUseForThePoint) {
  const auto good = belfry::test::read_vector(std::string(kFolder) + "/proof.bin");
  std::mt19937_64 rng(7);
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto& layout = parameters_.layout(static_cast<Section>(i));
    int refused = 0;
    for (int round = 0; round < 6; ++round) {
      const std::uint64_t at = layout.points_offset() + rng() % (layout.count * layout.point_bytes);
      SCOPED_TRACE(at);
      const Damage damage = Damage::flip(file_, at, static_cast<unsigned>(rng() % 8));
      const auto proof = prove();
      if (proof) {
        // A scalar of zero: the point is in no sum, and the proof is the right one.
        EXPECT_EQ(proof->proof, good);
        continue;
      }
      ++refused;
      EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().describe();
      EXPECT_EQ(proof.error().file, file_.string());
      EXPECT_TRUE(proof.error().section.starts_with(to_string(static_cast<Section>(i))));
      EXPECT_EQ(proof.error().offset, at - (at - layout.points_offset()) % layout.point_bytes);
    }
    EXPECT_GT(refused, 0) << to_string(static_cast<Section>(i));
  }
}

TEST_F(DamagedParameters, ABitFlipInACountIsRefused) {
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto& layout = parameters_.layout(static_cast<Section>(i));
    for (std::uint64_t at = layout.offset; at < layout.points_offset(); ++at) {
      for (const unsigned bit : {0U, 4U, 7U}) {
        const Damage damage = Damage::flip(file_, at, bit);
        const auto proof = prove();
        ASSERT_FALSE(proof) << at;
        EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().describe();
      }
    }
  }
}

TEST_F(DamagedParameters, ABitFlipInTheKeyIsRefused) {
  std::mt19937_64 rng(8);
  const std::uint64_t key_bytes = parameters_.layout(Section::kH).offset;
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t at = rng() % key_bytes;
    const auto bit = static_cast<unsigned>(rng() % 8);
    for (const std::filesystem::path& file : {file_, key_}) {
      const Damage damage = Damage::flip(file, at, bit);
      const auto proof = prove();
      ASSERT_FALSE(proof) << file << at;
      EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().describe();
    }
  }
}

TEST_F(DamagedParameters, GoodPointsInWrongPlacesFailTheSelfCheck) {
  for (std::size_t i = 0; i < kSections; ++i) {
    SCOPED_TRACE(to_string(static_cast<Section>(i)));
    const Damage damage = Damage::rotate(parameters_, static_cast<Section>(i));
    expect_self_check_failed();
  }
}

TEST_F(DamagedParameters, AKeyOfOtherGoodPointsIsHeldAgainstTheOneBesideIt) {
  // alpha and beta of G1 change places.
  const Damage damage = Damage::swap(file_, 0, curve::kUncompressedSize<curve::G1Affine>);
  const auto proof = prove();
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().describe();
  // Without a key to compare with, the proof tells.
  const std::filesystem::path aside = key_.string() + ".aside";
  std::filesystem::rename(key_, aside);
  expect_self_check_failed();
  std::filesystem::rename(aside, key_);
}

}  // namespace
}  // namespace belfry::engine
