// Backend policy, metrics and options: what every job of this room is built on.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "belfry/engine/backend_policy.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/metrics.h"
#include "engine/listener.h"
#include "groth16/recorded.h"
#include "support/temp_dir.h"

namespace belfry::engine {
namespace {

TEST(BackendPolicy, NamesAreReadAndToldAlike) {
  for (const BackendPolicy policy :
       {BackendPolicy::kAuto, BackendPolicy::kCpu, BackendPolicy::kCuda}) {
    const auto read = parse_backend_policy(to_string(policy));
    ASSERT_TRUE(read) << to_string(policy);
    EXPECT_EQ(*read, policy);
  }
  for (const char* word : {"", "CPU", "gpu", "cpu ", "auto,cpu"}) {
    const auto read = parse_backend_policy(word);
    ASSERT_FALSE(read) << word;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidUsage);
    EXPECT_EQ(read.error().found, word);
    EXPECT_FALSE(read.error().expected.empty());
  }
}

TEST(BackendPolicy, TheCpuIsChosenWithoutAFallback) {
  const Executor executor(1);
  test::Listener listener;
  const auto backend = choose_backend(BackendPolicy::kCpu, executor, listener.tracer());
  ASSERT_TRUE(backend);
  EXPECT_EQ((*backend)->name(), "cpu");
  EXPECT_TRUE((*backend)->device().starts_with("cpu, 1 threads")) << (*backend)->device();
  EXPECT_EQ(listener.counted(kBackendFallbacks), 0);
}

TEST(BackendPolicy, AutoCountsItsFallbackAndCudaHasNone) {
  const Executor executor(1);
  test::Listener listener;
  const auto automatic = choose_backend(BackendPolicy::kAuto, executor, listener.tracer());
  const auto cuda = choose_backend(BackendPolicy::kCuda, executor, listener.tracer());
  ASSERT_TRUE(automatic);
  // With a usable card both are the device; without one `auto` falls back once and `cuda` fails.
  EXPECT_EQ((*automatic)->name() == "cuda", cuda.has_value());
  EXPECT_EQ(listener.counted(kBackendFallbacks), cuda ? 0 : 1);
  if (cuda) {
    EXPECT_EQ((*cuda)->name(), "cuda");
    return;
  }
  EXPECT_EQ((*automatic)->name(), "cpu");
  EXPECT_EQ(cuda.error().code, ErrorCode::kBackendFailed);
  EXPECT_FALSE(cuda.error().message.empty());
  EXPECT_FALSE(cuda.error().hint.empty());
}

/// Test parameters are made by the card where there is one that holds them, as proofs are.
TEST(BackendPolicy, SetupFollowsItToTheSameFiles) {
  const Executor executor;
  const belfry::test::TempDir dir;
  const auto circuit = filecoin::find_circuit("winning-2KiB");
  ASSERT_TRUE(circuit);
  test::Listener listener;
  const auto set_up = [&](BackendPolicy policy) {
    return set_up_for_tests(*circuit, groth16::test::recorded_trapdoor(),
                            dir / std::string(to_string(policy)),
                            {.params_dir = dir.path(),
                             .cache_dir = dir / "cache",
                             .backend = policy,
                             .executor = executor,
                             .tracer = listener.tracer()});
  };
  const auto cuda = set_up(BackendPolicy::kCuda);
  EXPECT_EQ(listener.counted(kBackendFallbacks), 0);
  const auto automatic = set_up(BackendPolicy::kAuto);
  ASSERT_TRUE(automatic) << automatic.error().describe();
  EXPECT_EQ(listener.counted(kBackendFallbacks), cuda ? 0 : 1);
  EXPECT_EQ(automatic->device.empty(), !cuda);
  if (cuda) {
    EXPECT_EQ(automatic->params.sha256, cuda->params.sha256);
    return;
  }
  EXPECT_EQ(cuda.error().code, ErrorCode::kBackendFailed);
  EXPECT_FALSE(cuda.error().hint.empty());
  EXPECT_FALSE(std::filesystem::exists(dir / "cuda"));
}

TEST(BackendPolicy, AFallbackIsAWarningWhereThereIsACard) {
  trace::Log log(trace::Level::kWarning, trace::LogFormat::kText);
  trace::Registry metrics{trace::kTraceMetrics, kEngineMetrics};
  trace::Tracer tracer(log, metrics);
  const auto warning_of = [&](ErrorCode code) {
    testing::internal::CaptureStderr();
    report_fallback(Error{code, "gpu.device", "no usable card"}, &tracer);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning_of(ErrorCode::kNotFound), "");
  for (const ErrorCode code :
       {ErrorCode::kResourceExhausted, ErrorCode::kDeviceLost, ErrorCode::kBackendFailed}) {
    const std::string warning = warning_of(code);
    EXPECT_NE(warning.find("warn"), std::string::npos) << warning;
    EXPECT_NE(warning.find("proving on the CPU"), std::string::npos) << warning;
    EXPECT_NE(warning.find("no usable card"), std::string::npos) << warning;
  }
}

TEST(BackendPolicy, NobodyNeedsToListen) {
  const Executor executor(1);
  EXPECT_TRUE(choose_backend(BackendPolicy::kAuto, executor, nullptr));
}

TEST(EngineMetrics, RowsAreUniqueAndTellWhatTheyCount) {
  std::set<std::string_view> names;
  for (const trace::MetricSpec& spec : trace::kTraceMetrics) names.insert(spec.name);
  for (const trace::MetricSpec& spec : kEngineMetrics) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_TRUE(spec.name.starts_with("belfry_")) << spec.name;
    EXPECT_EQ(spec.name.ends_with("_total"), spec.kind == trace::MetricKind::kCounter) << spec.name;
    EXPECT_FALSE(spec.unit.empty()) << spec.name;
    EXPECT_FALSE(spec.help.empty()) << spec.name;
    EXPECT_FALSE(spec.help.ends_with('.')) << spec.name;
  }
}

TEST(EngineMetrics, EveryNameOfTheRoomIsDeclared) {
  test::Listener listener;  // an undeclared name ends the process
  for (const auto& name :
       {kProofs, kBackendFallbacks, kSelfCheckFailures, kDerivedDistrusted, kShapesReplaced}) {
    trace::count(listener.tracer(), name, 2);
    EXPECT_EQ(listener.counted(name), 2) << name;
  }
}

TEST(JobOptions, WorkHandsOnWhatTheJobGot) {
  const Executor executor(3);
  test::Listener listener;
  CancelSource source;
  const JobOptions options{.params_dir = "p",
                           .cache_dir = "c",
                           .executor = executor,
                           .tracer = listener.tracer(),
                           .cancel = source.token()};
  EXPECT_EQ(options.backend, BackendPolicy::kAuto);
  EXPECT_EQ(options.memory_budget_bytes, 0U) << "what machine and cgroup allow";
  const groth16::WorkView work = options.work();
  EXPECT_EQ(&work.executor, &executor);
  EXPECT_EQ(work.tracer, listener.tracer());
  EXPECT_TRUE(work.cancel.check("test"));
  source.cancel();
  EXPECT_FALSE(work.cancel.check("test"));
}

}  // namespace
}  // namespace belfry::engine
