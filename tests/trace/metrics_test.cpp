#include "belfry/trace/metrics.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace belfry::trace {
namespace {

constexpr std::array kTestMetrics{
    MetricSpec{MetricKind::kCounter, "jobs", "1", "Jobs done", "kind"},
    MetricSpec{MetricKind::kGauge, "memory", "bytes", "Memory in use"},
    MetricSpec{MetricKind::kHistogram, "time", "seconds", "Time of a job"}};

TEST(Registry, CountsByLabel) {
  Registry registry{kTestMetrics};
  EXPECT_TRUE(registry.snapshot().empty());
  registry.add("jobs", 1, "porep");
  registry.add("jobs", 2, "porep");
  registry.add("jobs", 1, "window");
  const auto samples = registry.snapshot();
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].label_value, "porep");
  EXPECT_EQ(samples[0].value, 3);
  EXPECT_EQ(samples[0].spec.help, "Jobs done");
  EXPECT_EQ(samples[1].label_value, "window");
  EXPECT_EQ(samples[1].value, 1);
}

TEST(Registry, AGaugeKeepsTheLastValue) {
  Registry registry{kTestMetrics};
  registry.set("memory", 10);
  registry.set("memory", 4);
  EXPECT_EQ(registry.snapshot().front().value, 4);
}

TEST(Registry, HistogramBucketsAreCumulativeAndBoundsInclusive) {
  Registry registry{kTestMetrics};
  for (const double value : {0.0, 0.001, 0.0011, 0.004, 1e9}) registry.observe("time", value);
  const MetricSample sample = registry.snapshot().front();
  EXPECT_EQ(sample.count, 5U);
  ASSERT_EQ(sample.buckets.size(), kHistogramBounds.size());
  EXPECT_EQ(sample.buckets[0], 2U);
  EXPECT_EQ(sample.buckets[1], 3U);
  EXPECT_EQ(sample.buckets[2], 4U);
  EXPECT_EQ(sample.buckets.back(), 4U) << "what is above every bound stands only in the count";
  EXPECT_NEAR(sample.value, 1e9, 1);
}

TEST(Registry, ThreadsDoNotLoseCounts) {
  Registry registry{kTestMetrics};
  const auto work = [&registry] {
    for (int i = 0; i < 1000; ++i) registry.add("jobs", 1, "porep");
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(registry.snapshot().front().value, 2000);
}

TEST(RegistryDeathTest, MisuseIsABug) {
  Registry registry{kTestMetrics};
  EXPECT_DEATH(registry.add("none"), "no list declares");
  EXPECT_DEATH(registry.set("jobs", 1), "another kind");
  EXPECT_DEATH(registry.set("memory", 1, "label"), "without a label");
  EXPECT_DEATH((Registry{kTestMetrics, kTestMetrics}), "same metric");
}

}  // namespace
}  // namespace belfry::trace
