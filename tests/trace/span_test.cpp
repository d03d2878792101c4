#include "belfry/trace/span.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace belfry::trace {
namespace {

class SpanTest : public testing::Test {
 protected:
  Log log_{Level::kOff, LogFormat::kText};
  Registry metrics_{kTraceMetrics};
  Tracer tracer_{log_, metrics_, Tracer::Recording::kOn};
};

TEST_F(SpanTest, FeedsTheHistogramOnce) {
  double seconds = 0;
  {
    Span span(&tracer_, "test.stage");
    seconds = span.stop();
    EXPECT_EQ(span.stop(), seconds);
  }
  const auto samples = metrics_.snapshot();
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].label_value, "test.stage");
  EXPECT_EQ(samples[0].count, 1U);
  EXPECT_DOUBLE_EQ(samples[0].value, seconds);
}

TEST_F(SpanTest, MeasuresTime) {
  Span span(&tracer_, "test.sleep");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double seconds = span.stop();
  EXPECT_GE(seconds, 0.02);
  EXPECT_LT(seconds, 20.0);
}

TEST_F(SpanTest, ProgressShowsTheNewestSpanThatKnowsItsTotal) {
  EXPECT_EQ(tracer_.progress().phase, "");
  Span outer(&tracer_, "test.outer");
  EXPECT_EQ(tracer_.progress().phase, "test.outer");
  outer.expect(100, "points");
  outer.advance(30);
  outer.advance(5);
  const Span inner(&tracer_, "test.inner");
  const Progress progress = tracer_.progress();
  EXPECT_EQ(progress.phase, "test.outer");
  EXPECT_EQ(progress.unit, "points");
  EXPECT_EQ(progress.done, 35U);
  EXPECT_EQ(progress.total, 100U);
  EXPECT_GE(progress.seconds, 0.0);
  outer.stop();
  EXPECT_EQ(tracer_.progress().phase, "test.inner");
  EXPECT_EQ(tracer_.progress().total, 0U);
}

TEST_F(SpanTest, ThreadsAdvanceTogether) {
  Span span(&tracer_, "test.threads");
  span.expect(2000, "rows");
  const auto work = [&span] {
    for (int i = 0; i < 1000; ++i) span.advance(1);
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(tracer_.progress().done, 2000U);
}

TEST_F(SpanTest, ChromeTraceHoldsEverySpan) {
  {
    const Span outer(&tracer_, "test.outer");
    std::thread([this] { const Span other(&tracer_, "test.\"other\""); }).join();
  }
  const simdjson::padded_string text(tracer_.chrome_trace());
  simdjson::dom::parser parser;
  const simdjson::dom::array events = parser.parse(text)["traceEvents"];
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::string_view(events.at(0)["name"]), "test.\"other\"");
  EXPECT_EQ(std::string_view(events.at(1)["name"]), "test.outer");
  EXPECT_NE(std::uint64_t(events.at(0)["tid"]), std::uint64_t(events.at(1)["tid"]));
  EXPECT_LE(double(events.at(1)["ts"]), double(events.at(0)["ts"]));
  EXPECT_GE(double(events.at(1)["dur"]), double(events.at(0)["dur"]));
}

TEST_F(SpanTest, RecordsNothingUnlessAsked) {
  Tracer quiet(log_, metrics_);
  {
    const Span span(&quiet, "test.stage");
  }
  EXPECT_EQ(quiet.chrome_trace().find("test.stage"), std::string::npos);
}

TEST(NullTracer, IsAllowedEverywhere) {
  Span span(nullptr, "test.stage");
  span.expect(1, "rows");
  span.advance(1);
  EXPECT_GE(span.stop(), 0.0);
  write_log(nullptr, "test", Level::kError, "nobody listens");
  count(nullptr, "no_such_metric");
}

}  // namespace
}  // namespace belfry::trace
