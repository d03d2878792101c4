// Test parameters whose points a card makes, against the recorded ones and those of the CPU.
#include "belfry/groth16/keygen/device_setup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/cuda_calls.h"
#include "support/mini_system.h"
#include "support/temp_dir.h"

namespace belfry::groth16 {
namespace {

using belfry::test::CudaWatch;
using belfry::test::read_vector;
using belfry::test::TempDir;

class DeviceSetups : public testing::Test {
 protected:
  [[nodiscard]] Result<SetupReport> make(const r1cs::Shape& shape, const TestTrapdoor& trapdoor,
                                         const std::string& stem,
                                         const CudaOptions& options = {}) const {
    return make_test_parameters_on_device(shape, trapdoor, dir_ / "card", stem, options, work_);
  }
  void expect_no_file() const { EXPECT_TRUE(std::filesystem::is_empty(dir_ / "card")); }

  Executor executor_{4};
  CancelSource cancel_;
  WorkView work_{executor_, nullptr, cancel_.token()};
  TempDir dir_;
  bool made_ = std::filesystem::create_directory(dir_ / "card");
};

TEST_F(DeviceSetups, OfMiniSystemsAreTheRecordedFiles) {
  for (const std::string_view view : test::kMiniSystems) {
    const std::string name(view);
    SCOPED_TRACE(name);
    const r1cs::Shape shape = test::shape_of(test::MiniSystem(name), name);
    const SetupReport report = test::value_of(make(shape, test::recorded_trapdoor(name), name));
    EXPECT_EQ(test::read_bytes(dir_ / "card" / (name + ".params")),
              read_vector(test::mini_params(name)));
    EXPECT_EQ(test::read_bytes(dir_ / "card" / (name + ".vk")),
              read_vector(test::mini_file(name, name + ".vk")));
    EXPECT_TRUE(is_marked_for_tests(report.params.file, report.params.digest));
    EXPECT_FALSE(report.device.empty());
  }
}

/// More points than a tile of the download has, in blocks, header and inputs.
TEST_F(DeviceSetups, OfBlocksAreTheFilesOfTheCpu) {
  const test::BlocksSystem system(40, 15'000);
  const r1cs::Shape shape = test::value_of(r1cs::extract_shape("blocks", system));
  ASSERT_GT(shape.aux(), (std::size_t{32} << 20) / sizeof(curve::G1Affine));
  const TestTrapdoor trapdoor = test::recorded_trapdoor();
  const SetupReport expected =
      test::value_of(make_test_parameters(shape, trapdoor, dir_.path(), "blocks", work_));
  const SetupReport found = test::value_of(make(shape, trapdoor, "blocks"));
  ASSERT_EQ(found.sections.size(), expected.sections.size());
  for (std::size_t i = 0; i < found.sections.size(); ++i) {
    EXPECT_EQ(found.sections[i].name, expected.sections[i].name);
    EXPECT_EQ(found.sections[i].count, expected.sections[i].count);
    EXPECT_EQ(found.sections[i].sha256, expected.sections[i].sha256) << expected.sections[i].name;
  }
  EXPECT_EQ(found.params.sha256, expected.params.sha256);
  EXPECT_EQ(found.params.digest, expected.params.digest);
  EXPECT_EQ(found.vk.sha256, expected.vk.sha256);
}

/// A card that is too small is told before anything is made, and what is said to be needed is
/// enough.
TEST_F(DeviceSetups, ThatDoNotFitAreRefusedWithWhatWouldDo) {
  const r1cs::Shape shape = test::shape_of(test::MiniSystem("tiny"), "tiny");
  const CudaOptions little{.vram_budget_bytes = std::uint64_t{1} << 30};
  const auto refused = check_device_setup(shape, little);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_FALSE(make(shape, test::recorded_trapdoor("tiny"), "tiny", little));
  expect_no_file();
  const CudaOptions enough{.vram_budget_bytes = std::stoull(refused.error().expected)};
  EXPECT_TRUE(check_device_setup(shape, enough));
  EXPECT_TRUE(make(shape, test::recorded_trapdoor("tiny"), "tiny", enough));
}

TEST_F(DeviceSetups, ThatAreCancelledOrRefusedLeaveNothing) {
  const r1cs::Shape shape = test::shape_of(test::MiniSystem("tiny"), "tiny");
  TestTrapdoor zero = test::recorded_trapdoor("tiny");
  zero.delta = Fr::zero();
  const auto refused = make(shape, zero, "tiny");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidUsage);
  cancel_.cancel();
  const auto cancelled = make(shape, test::recorded_trapdoor("tiny"), "tiny");
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  expect_no_file();
}

/// Calls from the first to the last, evenly spread: each failure is told and leaves no file, and
/// the next setup in the same process makes the right one.
TEST_F(DeviceSetups, WhoseCallsFailLeaveNothing) {
  constexpr std::uint64_t kFailures = 12;
  const std::string name = "rows-300-inputs-50";
  const r1cs::Shape shape = test::shape_of(test::MiniSystem(name), name);
  const TestTrapdoor trapdoor = test::recorded_trapdoor(name);
  CudaWatch watch;
  ASSERT_TRUE(make(shape, trapdoor, name));
  const std::uint64_t calls = watch.calls();
  ASSERT_GT(calls, 100U);
  unsigned told = 0;
  for (std::uint64_t i = 0; i < kFailures; ++i) {
    std::filesystem::remove_all(dir_ / "card");
    std::filesystem::create_directory(dir_ / "card");
    watch.fail_at(i * calls / kFailures, cudaErrorLaunchOutOfResources);
    const auto outcome = make(shape, trapdoor, name);
    SCOPED_TRACE("call " + std::to_string(i * calls / kFailures) + ": " + watch.failed());
    if (outcome) continue;  // a call that gives something back
    ++told;
    // Without an answer about the cards there is none.
    const bool no_card = outcome.error().code == ErrorCode::kNotFound;
    EXPECT_TRUE(no_card || outcome.error().code == ErrorCode::kBackendFailed)
        << outcome.error().describe();
    expect_no_file();
  }
  EXPECT_GT(told, kFailures / 2);
  watch.fail_at(std::numeric_limits<std::uint64_t>::max(), cudaSuccess);
  ASSERT_TRUE(make(shape, trapdoor, name));
  EXPECT_EQ(test::read_bytes(dir_ / "card" / (name + ".params")),
            read_vector(test::mini_params(name)));
}

}  // namespace
}  // namespace belfry::groth16
