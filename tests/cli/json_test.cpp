#include "belfry/cli/json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/monitor.h"
#include "belfry/cli/output.h"
#include "belfry/trace/log.h"
#include "belfry/trace/span.h"

namespace belfry::cli {
namespace {

TEST(Json, WritesEachKind) {
  EXPECT_EQ(Json("a\"b").text(), R"("a\"b")");
  EXPECT_EQ(Json(true).text(), "true");
  EXPECT_EQ(Json(-3).text(), "-3");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_EQ(Json(1.5).text(), "1.5");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).text(), "null");
  EXPECT_EQ(Json(std::vector<Json>{}).text(), "[]");
  EXPECT_EQ(Json(std::vector<Json>{Json(1), Json("x")}).text(), R"([1,"x"])");
}

TEST(JsonObject, KeepsTheOrderAndLeavesOutWhatIsNotThere) {
  JsonObject object;
  EXPECT_EQ(object.json().text(), "{}");
  object.add("b", 1).add("a", std::optional<int>()).add_if_set("c", "").add_if_set("d", "x");
  object.merge(JsonObject{}).merge(JsonObject{}.add("e", false)).add("f", JsonObject{});
  EXPECT_EQ(object.json().text(), R"({"b":1,"d":"x","e":false,"f":{}})");
}

TEST(ErrorJson, HasTheFieldsThatAreSet) {
  EXPECT_EQ(error_json(invalid("s", "m")).json().text(),
            R"({"kind":"invalid_input","message":"m"})");
  const Error full =
      invalid("s", "m").in_file("f").in_section("x").at(7).but("1", "2").with_hint("h");
  EXPECT_EQ(error_json(full).json().text(),
            R"({"kind":"invalid_input","message":"m","file":"f","section":"x","offset":7,)"
            R"("expected":"1","found":"2","hint":"h"})");
}

TEST(ExitCodes, AreThoseOfTheContract) {
  EXPECT_EQ(exit_code(ErrorCode::kInvalidUsage), ExitCode::kUsage);
  EXPECT_EQ(exit_code(ErrorCode::kInvalidInput), ExitCode::kBadInput);
  EXPECT_EQ(exit_code(ErrorCode::kNotFound), ExitCode::kBadInput);
  EXPECT_EQ(exit_code(ErrorCode::kResourceExhausted), ExitCode::kExhausted);
  EXPECT_EQ(exit_code(ErrorCode::kDeviceLost), ExitCode::kBackend);
  EXPECT_EQ(exit_code(ErrorCode::kBackendFailed), ExitCode::kBackend);
  EXPECT_EQ(exit_code(ErrorCode::kInternal), ExitCode::kBug);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorCode::kCancelled)), 130);
}

TEST(Arguments, MinersNumbersAndHexAreStrict) {
  for (const char* text : {"1000", "f01000", "t01000"}) {
    EXPECT_EQ(parse_miner("--miner", text).value(), 1000U) << text;
  }
  for (const char* text : {"", "f0", "f1000x", "F01000", "f11000", "f001000", "01000", "-1", "1e3",
                           "18446744073709551616"}) {
    const auto miner = parse_miner("--miner", text);
    ASSERT_FALSE(miner.has_value()) << text;
    EXPECT_EQ(miner.error().section, "--miner");
  }
  EXPECT_FALSE(parse_number("--sector", "1 ").has_value());
  EXPECT_FALSE(parse_bytes32("--seed", std::string(63, '0')).has_value());
  EXPECT_EQ(parse_bytes32("--seed", "01" + std::string(62, '0')).value()[0], 1);
}

/// Every command has one, and none waits for its next tick when the work is done.
TEST(Monitors, EndWithTheirWork) {
  constexpr int kMany = 25;
  constexpr std::chrono::milliseconds kTick{200};
  trace::Log log(trace::Level::kError, trace::LogFormat::kText);
  trace::Registry metrics{trace::kTraceMetrics};
  trace::Tracer tracer(log, metrics);
  CancelSource cancel;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kMany; ++i) const Monitor monitor(tracer, cancel, ProgressStyle::kNone);
  EXPECT_LT(std::chrono::steady_clock::now() - start, kMany * kTick / 2);
  EXPECT_FALSE(cancel.token().cancelled());
}

TEST(Progress, ShowsWhatIsKnown) {
  EXPECT_EQ(render_progress({}), "");
  EXPECT_EQ(render_progress({.phase = "msm", .unit = "", .done = 0, .total = 0, .seconds = 3}),
            "msm  3 s");
  EXPECT_EQ(
      render_progress({.phase = "msm", .unit = "points", .done = 0, .total = 100, .seconds = 3}),
      "msm  [........................] 0 %");
  EXPECT_EQ(
      render_progress(
          {.phase = "msm", .unit = "points", .done = 3'000'000, .total = 4'000'000, .seconds = 3}),
      "msm  [##################......] 75 %  1 M points/s  1 s left");
}

}  // namespace
}  // namespace belfry::cli
