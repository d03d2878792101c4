#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "belfry/cli/bench/device_report.h"
#include "belfry/cli/bench/report.h"
#include "belfry/trace/span.h"
#include "cli/card.h"
#include "cli/run_belfry.h"

namespace belfry::cli {
namespace {

using test::Answer;
using test::Belfry;
using test::RunResult;

class BenchReport : public testing::Test {
 protected:
  Outcome report(unsigned asked, unsigned taken) {
    engine::DeviceTrialReport trial;
    trial.device = "NVIDIA Test, 7 multiprocessors, GPU-1";
    trial.partitions = 1;
    trial.prove_seconds = 2;
    trial.stages.push_back({"msm_h", 1, 1, 0.5});
    trial.memory = {.masks = 5,
                    .h_copies = taken,
                    .residency = groth16::Residency::kH,
                    .room = groth16::QuotientRoom::kCompact,
                    .tile_log = 23};
    testing::internal::CaptureStderr();
    Outcome outcome = bench::report_trial(trial, asked, session());
    log_lines_ = testing::internal::GetCapturedStderr();
    return outcome;
  }
  [[nodiscard]] SessionView session() {
    return {settings_, executor_, tracer_, {}, {"--trace", ""}, details_};
  }

  std::string log_lines_;

 private:
  config::Settings settings_;
  Executor executor_{2};
  trace::Log log_{trace::Level::kWarning, trace::LogFormat::kText};
  trace::Registry metrics_{trace::kTraceMetrics};
  trace::Tracer tracer_{log_, metrics_};
  FailureDetails details_;
};

TEST_F(BenchReport, NamesTheCardAndHowItsProverLay) {
  const Outcome outcome = report(1, 1);
  EXPECT_EQ(outcome.text.rfind("NVIDIA Test, 7 multiprocessors, GPU-1; floor", 0), 0U)
      << outcome.text;
  EXPECT_NE(outcome.text.find("points on the card: h; copies of H: 1; 5 partitions a pass; "
                              "quotient compact; tiles of 2^23"),
            std::string::npos)
      << outcome.text;
  const std::string json = outcome.result.json().text();
  for (const char* member :
       {R"("device":"NVIDIA Test)", R"("residency":"h")", R"("room":"compact")", R"("tile_log":23)",
        R"("h_copies":1)", R"("partitions_a_pass":5)"}) {
    EXPECT_NE(json.find(member), std::string::npos) << member << " in " << json;
  }
  EXPECT_EQ(log_lines_, "");
}

TEST_F(BenchReport, FewerCopiesThanAskedForAreToldAndLogged) {
  const Outcome outcome = report(4, 1);
  EXPECT_NE(outcome.text.find("copies of H: 1 of 4;"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.result.json().text().find(R"("h_copies_asked":4)"), std::string::npos);
  EXPECT_NE(log_lines_.find("asked=4 taken=1"), std::string::npos) << log_lines_;
}

TEST(BenchBackend, BenchesOfTheGpuRefuseTheCpu) {
  for (const char* bench : {"partition", "kernels", "interlock"}) {
    // The circuit is large: what is not refused before any work would take seconds.
    const RunResult run =
        Belfry().run({"bench", bench, "porep-32GiB", "--backend", "cpu", "--json"});
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_NE(run.out.find("this bench measures a GPU"), std::string::npos) << run.out;
  }
}

TEST(BenchBackend, OptionsOfTheCardAreRefusedOnTheCpu) {
  const RunResult run = Belfry().run(
      {"bench", "proof", "porep-32GiB", "--backend", "cpu", "--h-copies", "4", "--json"});
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_NE(run.out.find("--h-copies is for points in the memory of a GPU"), std::string::npos);
}

/// Where the policy is to choose, what it chose is said before that is measured; and of a card that
/// no parameter file is read, whichever folder was named.
TEST(BenchBackend, AutoTellsWhatItMeasures) {
  const std::string chosen = test::has_card() ? "measuring the card" : "measuring the CPU";
  const RunResult run = Belfry().run({"bench", "proof", "update-32GiB", "--backend", "auto"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_NE(run.err.find(chosen), std::string::npos) << run.err;
}

TEST(BenchBackend, ACardSaysThatItReadsNoParameterFile) {
  const RunResult run = Belfry().run(
      {"bench", "proof", "update-32GiB", "--backend", "cuda", "--params", "somewhere"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_NE(run.err.find("no file is read"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("somewhere"), std::string::npos) << run.err;
}

/// With a card they measure it.
TEST(BenchBackend, WithoutACardThoseOfTheGpuAreABackendThatFailed) {
  using Words = std::vector<std::string>;
  const bool card = test::has_card();
  for (const Words& bench :
       {Words{"bench", "kernels", "window-2KiB"}, Words{"bench", "interlock", "porep-2KiB"},
        Words{"bench", "proof", "winning-2KiB", "--backend", "cuda"}}) {
    Words words = bench;
    words.insert(words.end(), {"--runs", "1", "--json"});
    const RunResult run = Belfry().run(words);
    const Answer answer(run);
    if (card) {
      EXPECT_EQ(run.code, 0) << run.out;
      EXPECT_FALSE(std::string_view(answer.root()["device"]).empty()) << run.out;
      continue;
    }
    EXPECT_EQ(run.code, 5) << run.out;
    EXPECT_EQ(answer.error("kind"), "backend_failed");
    EXPECT_NE(answer.error("hint").find("preset cuda"), std::string::npos) << run.out;
  }
}

TEST(BenchBackend, ThereAreNoSectorsMadeUpForSnapDeals) {
  // The circuit is large: what is not refused before any work would take seconds. With or without
  // a card it is the circuit that is wrong.
  for (const char* bench : {"proof", "witness", "partition", "interlock"}) {
    const RunResult run = Belfry().run({"bench", bench, "update-32GiB", "--json"});
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_EQ(Answer(run).error("section"), "update-32GiB") << run.out;
    EXPECT_EQ(run.err.find("extracting"), std::string::npos) << run.err;
  }
  EXPECT_EQ(Belfry().run({"bench", "proof", "update-32GiB", "--backend", "cuda"}).code, 3);
}

}  // namespace
}  // namespace belfry::cli
