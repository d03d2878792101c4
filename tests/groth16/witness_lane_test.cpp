// Two proofs in flight: their sums are those of proofs alone.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "belfry/groth16/prove/device_trial.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

class WitnessLanes : public testing::Test {
 protected:
  static constexpr std::uint64_t kVram = std::uint64_t{12} << 30;
  static constexpr unsigned kPartitions = 3;
  using Witnesses = std::vector<r1cs::PackedWitness>;

  [[nodiscard]] std::unique_ptr<DeviceTrial> make(unsigned lanes) const {
    return test::value_of(make_device_trial(
        {.cuda = {.vram_budget_bytes = kVram}, .partitions = kPartitions, .lanes = lanes}, shape_,
        test::recorded_trapdoor(), {executor_}));
  }
  /// Witnesses of any values: sums do not ask whether rows hold.
  [[nodiscard]] Witnesses varied(unsigned seed) const {
    Witnesses out(kPartitions,
                  test::value_of(r1cs::compute_witness(shape_.layout(), system_, executor_)));
    std::mt19937_64 rng(seed);
    for (r1cs::PackedWitness& witness : out) {
      for (Fr& field : witness.header_slice().fields) field = belfry::test::random_fr(rng);
    }
    return out;
  }
  static void expect_equal(const PendingProofs& found, const PendingProofs& expected) {
    ASSERT_EQ(found.partitions(), expected.partitions());
    for (std::size_t k = 0; k < found.partitions(); ++k) {
      EXPECT_EQ(found.sums()[k].a, expected.sums()[k].a);
      EXPECT_EQ(found.sums()[k].b_g1, expected.sums()[k].b_g1);
      EXPECT_EQ(found.sums()[k].b_g2, expected.sums()[k].b_g2);
      EXPECT_EQ(found.sums()[k].l, expected.sums()[k].l);
      EXPECT_EQ(found.sums()[k].h, expected.sums()[k].h);
    }
  }

  Executor executor_{4};
  test::BlocksSystem system_{6, 150};
  r1cs::Shape shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
};

TEST_F(WitnessLanes, ProveTheSameWhileTheOtherIsFilled) {
  const auto trial = make(2);
  constexpr unsigned kProofs = 8;
  std::vector<Witnesses> witnesses;
  std::vector<PendingProofs> expected;
  for (unsigned k = 0; k < kProofs; ++k) {
    witnesses.push_back(varied(k));
    expected.push_back(test::value_of(trial->prove(witnesses[k])));
  }
  ASSERT_TRUE(trial->upload(0, witnesses[0]));
  for (unsigned k = 0; k < kProofs; ++k) {
    Result<void> filled;
    std::jthread filler;
    if (k + 1 < kProofs) {
      filler = std::jthread([&, k] { filled = trial->upload((k + 1) % 2, witnesses[k + 1]); });
    }
    const PendingProofs found = test::value_of(trial->prove_lane(k % 2));
    if (filler.joinable()) filler.join();
    ASSERT_TRUE(filled);
    expect_equal(found, expected[k]);
  }
}

TEST_F(WitnessLanes, ASecondLaneIsPlanned) {
  const std::uint64_t one = make(1)->plan().device_bytes();
  const auto trial = make(2);
  EXPECT_GT(trial->plan().device_bytes(), one);
  EXPECT_EQ(trial->peak_bytes(), trial->plan().device_bytes());
}

/// Of its budget a trial takes what its proofs and the making of its points need, no more: what the
/// driver says can be compared with the plan.
TEST_F(WitnessLanes, WhatTheDriverGaveIsTold) {
  const auto trial = make(1);
  ASSERT_TRUE(trial->prove(varied(1)));
  const std::uint64_t used = test::value_of(trial->device_used_bytes());
  EXPECT_GE(used, trial->peak_bytes());
  EXPECT_LT(used, kVram / 4 * 3);
}

TEST_F(WitnessLanes, DerivedParametersAreOfOneBasis) {
  const auto refused = time_derived_load(
      "none.derived", shape_,
      {.cuda = {.vram_budget_bytes = kVram}, .basis = QuotientBasis::kCoefficients}, {executor_});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidUsage);
}

TEST_F(WitnessLanes, RefuseWhatTheyCanNotTake) {
  const auto trial = make(1);
  const auto empty = trial->prove_lane(0);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::kInvalidUsage);
  const auto absent = trial->upload(1, varied(1));
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kInvalidUsage);
  Witnesses many = varied(1);
  many.push_back(many.front());
  const auto too_many = trial->upload(0, many);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().expected, "1 to 3");
  const test::BlocksSystem other_system(2, 10);
  const r1cs::Shape other = test::value_of(r1cs::extract_shape("other", other_system));
  const Witnesses foreign(
      1, test::value_of(r1cs::compute_witness(other.layout(), other_system, executor_)));
  const auto refused = trial->upload(0, foreign);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidUsage);
  EXPECT_FALSE(trial->prove_lane(0)) << "nothing of a failed upload is proved";
  ASSERT_TRUE(trial->upload(0, varied(2)));
  EXPECT_TRUE(trial->prove_lane(0));
}

}  // namespace
}  // namespace belfry::groth16
