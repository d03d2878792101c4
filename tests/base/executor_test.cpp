#include "belfry/base/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace belfry {
namespace {

class ExecutorSuite : public testing::TestWithParam<unsigned> {};

TEST_P(ExecutorSuite, CoversEveryIndexOnce) {
  const Executor executor(GetParam());
  for (const std::size_t n : {0U, 1U, 2U, 63U, 64U, 65U, 1000U}) {
    for (const std::size_t grain : {0U, 1U, 64U, 5000U}) {
      std::vector<std::atomic<int>> seen(n);
      executor.parallel_for(n, grain, [&seen](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++seen[i];
      });
      EXPECT_TRUE(std::ranges::all_of(seen, [](const auto& count) { return count == 1; }))
          << n << " by " << grain;
    }
  }
}

TEST_P(ExecutorSuite, RangesHoldAtLeastTheGrainExceptTheLast) {
  const Executor executor(GetParam());
  constexpr std::size_t kCount = 1000;
  constexpr std::size_t kGrain = 64;
  std::atomic<bool> ok = true;
  executor.parallel_for(kCount, kGrain, [&ok](std::size_t begin, std::size_t end) {
    if (end - begin < kGrain && end != kCount) ok = false;
  });
  EXPECT_TRUE(ok);
}

TEST_P(ExecutorSuite, RunsEachTaskOnce) {
  const Executor executor(GetParam());
  std::vector<std::atomic<int>> seen(100);
  executor.for_each(seen.size(), [&seen](std::size_t i) { ++seen[i]; });
  EXPECT_TRUE(std::ranges::all_of(seen, [](const auto& count) { return count == 1; }));
  executor.for_each(0, [](std::size_t) { FAIL(); });
}

TEST_P(ExecutorSuite, NestsAndTakesSeveralCallers) {
  const Executor executor(GetParam());
  std::atomic<std::size_t> sum = 0;
  const auto nested = [&executor, &sum] {
    executor.for_each(10, [&executor, &sum](std::size_t) {
      executor.parallel_for(100, 10,
                            [&sum](std::size_t begin, std::size_t end) { sum += end - begin; });
    });
  };
  std::thread other(nested);
  executor.both(nested, nested);
  other.join();
  EXPECT_EQ(sum, 3000U);
}

INSTANTIATE_TEST_SUITE_P(Threads, ExecutorSuite, testing::Values(1U, 2U, 5U));

TEST(Executor, TakesTheAvailableCpusByDefault) {
  const Executor executor;
  EXPECT_GE(executor.threads(), 1U);
  EXPECT_LE(executor.threads(), std::max(1U, std::thread::hardware_concurrency()));
  EXPECT_EQ(Executor(3).threads(), 3U);
}

}  // namespace
}  // namespace belfry
