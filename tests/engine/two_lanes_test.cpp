#include "belfry/engine/jobs/two_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "belfry/engine/jobs/interlock.h"

namespace belfry::engine {
namespace {

constexpr unsigned kCount = 200;

LaneStep nothing() {
  return [](unsigned) -> Result<void> { return {}; };
}
LaneStep fails_at(unsigned place, std::atomic<unsigned>& calls) {
  return [place, &calls](unsigned k) -> Result<void> {
    ++calls;
    if (k != place) return {};
    return fail(ErrorCode::kBackendFailed, "test", std::to_string(k));
  };
}

TEST(TwoLanes, EachItemIsUsedWithWhatItsFillLeft) {
  std::array<unsigned, kTwoLanes> lanes{};
  std::vector<unsigned> used;
  const auto outcome = work_in_two_lanes(
      kCount,
      [&](unsigned k) -> Result<void> {
        lanes[k % kTwoLanes] = k;
        return {};
      },
      [&](unsigned k) -> Result<void> {
        used.push_back(lanes[k % kTwoLanes]);
        return {};
      });
  ASSERT_TRUE(outcome);
  ASSERT_EQ(used.size(), kCount);
  for (unsigned k = 0; k < kCount; ++k) EXPECT_EQ(used[k], k);
}

TEST(TwoLanes, TheNextIsFilledWhileOneIsUsed) {
  std::atomic<unsigned> filled = 0;
  const auto outcome = work_in_two_lanes(
      kCount,
      [&](unsigned) -> Result<void> {
        filled = filled + 1;
        filled.notify_all();
        return {};
      },
      [&](unsigned k) -> Result<void> {
        // Returns only because the other lane is filled meanwhile, and never more than that one.
        const unsigned ahead = std::min(k + kTwoLanes, kCount);
        for (unsigned now = filled; now < ahead; now = filled) filled.wait(now);
        EXPECT_EQ(filled, ahead);
        return {};
      });
  EXPECT_TRUE(outcome);
}

TEST(TwoLanes, AFailureOfEitherSideEndsBoth) {
  for (const unsigned place : {0U, 1U, 2U, 7U, kCount - 1}) {
    std::atomic<unsigned> calls = 0;
    const auto unfilled = work_in_two_lanes(kCount, fails_at(place, calls), nothing());
    ASSERT_FALSE(unfilled);
    EXPECT_EQ(unfilled.error().message, std::to_string(place));
    EXPECT_EQ(calls, place + 1);
    std::atomic<unsigned> uses = 0;
    std::atomic<unsigned> fills = 0;
    const auto unused = work_in_two_lanes(kCount, fails_at(kCount, fills), fails_at(place, uses));
    ASSERT_FALSE(unused);
    EXPECT_EQ(unused.error().message, std::to_string(place));
    EXPECT_EQ(uses, place + 1);
    EXPECT_LE(fills, place + kTwoLanes);
  }
}

TEST(TwoLanes, AnExceptionEndsTheFillingThreadToo) {
  for (const unsigned place : {0U, 3U}) {
    std::atomic<unsigned> fills = 0;
    const LaneStep throws = [place](unsigned k) -> Result<void> {
      if (k == place) throw std::runtime_error("thrown");
      return {};
    };
    EXPECT_THROW((void)work_in_two_lanes(kCount, fails_at(kCount, fills), throws),
                 std::runtime_error);
    EXPECT_LE(fills, place + kTwoLanes);
  }
}

TEST(Interlock, RefusesABudgetUnderWhichAProofTakesTwoPasses) {
  EXPECT_TRUE(check_one_pass({.masks = 10}, 10));
  EXPECT_TRUE(check_one_pass({.masks = 1}, 1));
  const auto refused = check_one_pass({.masks = 1}, 10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(refused.error().expected, "10 partitions");
  EXPECT_EQ(refused.error().found, "1");
}

}  // namespace
}  // namespace belfry::engine
