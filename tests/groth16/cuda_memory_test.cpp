// Proofs on a card whose memory another process holds.
#include <gtest/gtest.h>

#include <limits>

#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/temp_dir.h"
#include "support/vram_holder.h"

namespace belfry::groth16 {
namespace {

using belfry::test::TempDir;
using belfry::test::VramHolder;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
/// What a backend leaves to the driver.
constexpr std::uint64_t kDriver = std::uint64_t{1} << 30;

class SharedCard : public testing::Test {
 protected:
  static constexpr std::size_t kPartitions = 10;

  SharedCard() {
    (void)test::value_of(make_test_parameters(shape_, test::recorded_trapdoor(), dir_.path(),
                                              "blocks", {executor_}));
    parameters_.emplace(test::value_of(Parameters::open(dir_ / "blocks.params")));
  }
  [[nodiscard]] Result<std::unique_ptr<Backend>> make(std::uint64_t budget = 0) const {
    return make_cuda_backend({.vram_budget_bytes = budget}, executor_);
  }
  [[nodiscard]] std::uint64_t planned(const Backend& backend) const {
    return test::value_of(backend.plan(shape_, kPartitions, kNoLimit)).device_bytes();
  }
  /// What the least plan needs, as its refusal says.
  [[nodiscard]] std::uint64_t least() const {
    const auto refused = test::value_of(make(1 << 20))->plan(shape_, kPartitions, kNoLimit);
    EXPECT_FALSE(refused);
    return std::stoull(refused.error().expected);
  }
  [[nodiscard]] Result<PendingProofs> prove(const Backend& backend) const {
    return start(backend, {*parameters_, shape_, witnesses_}, kNoLimit);
  }

  Executor executor_{4};
  TempDir dir_;
  test::BlocksSystem system_{20, 2000};
  r1cs::Shape shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
  std::vector<r1cs::PackedWitness> witnesses_{
      kPartitions, test::value_of(r1cs::compute_witness(shape_.layout(), system_, executor_))};
  std::optional<Parameters> parameters_;
};

TEST_F(SharedCard, ASmallerPlanIsMadeAndProvesTheSame) {
  const std::uint64_t alone = planned(*test::value_of(make()));
  const std::uint64_t needed = least();
  ASSERT_LT(needed, alone);
  const VramHolder other((needed + alone) / 2 + kDriver);
  const auto backend = test::value_of(make());
  EXPECT_LT(planned(*backend), alone);
  const PendingProofs found = test::value_of(prove(*backend));
  const PendingProofs expected = test::value_of(prove(*make_cpu_backend(executor_)));
  ASSERT_EQ(found.partitions(), kPartitions);
  for (std::size_t k = 0; k < kPartitions; ++k) {
    EXPECT_EQ(found.sums()[k].a, expected.sums()[k].a);
    EXPECT_EQ(found.sums()[k].b_g2, expected.sums()[k].b_g2);
    EXPECT_EQ(found.sums()[k].l, expected.sums()[k].l);
    EXPECT_EQ(found.sums()[k].h, expected.sums()[k].h);
  }
}

TEST_F(SharedCard, TooLittleIsRefusedWithBothNumbers) {
  const std::uint64_t needed = least();
  const VramHolder other(needed / 2 + kDriver);
  const auto backend = test::value_of(make());
  const auto refused = backend->plan(shape_, kPartitions, kNoLimit);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(std::stoull(refused.error().expected), needed);
  EXPECT_LT(std::stoull(refused.error().found), needed);
  const auto budget = make(needed);
  ASSERT_FALSE(budget);
  EXPECT_EQ(budget.error().code, ErrorCode::kResourceExhausted);
}

/// The memory was there when the backend was opened, and is gone when it loads the parameters.
TEST_F(SharedCard, MemoryThatWentSinceIsRefusedAndComesBack) {
  const auto backend = test::value_of(make());
  const std::uint64_t needed = planned(*backend);
  {
    const VramHolder other(needed / 2);
    const auto refused = prove(*backend);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
    EXPECT_EQ(refused.error().stage, "gpu.memory");
    EXPECT_GT(std::stoull(refused.error().found), needed / 2);
    EXPECT_NE(refused.error().expected.find("free bytes"), std::string::npos);
  }
  EXPECT_TRUE(prove(*backend));
}

}  // namespace
}  // namespace belfry::groth16
