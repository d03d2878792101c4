#include "belfry/cli/bench/device_report.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "belfry/cli/bench/report.h"
#include "belfry/groth16/prove/residency.h"
#include "belfry/trace/span.h"

namespace belfry::cli::bench {
namespace {

std::vector<Figure> figures_of(const engine::DeviceTrialReport& report) {
  const std::uint64_t count = report.partitions;
  std::vector<Figure> figures{{"witness, on the CPU", count, "partitions", report.witness_seconds},
                              {"test parameters, once", 1, "setups", report.setup_seconds}};
  double floor = 0;
  for (const groth16::TrialStage& stage : report.stages) {
    figures.push_back({stage.name, stage.runs, "runs", stage.seconds, stage.floor_seconds});
    floor += stage.floor_seconds;
  }
  figures.push_back({"proof, witness ready", count, "partitions", report.prove_seconds, floor});
  figures.push_back({"verify, on the CPU", count, "partitions", report.verify_seconds});
  if (report.load) {
    figures.push_back(
        {"derived file: digests", report.load->bytes, "bytes", report.load->check_seconds});
    figures.push_back({"derived file: memory", 1, "runs", report.load->take_seconds});
    figures.push_back(
        {"derived file: points", report.load->bytes, "bytes", report.load->load_seconds});
  }
  return figures;
}

/// "points on the card: all; copies of H: 1 of 4; 10 partitions a pass; quotient roomy".
std::string lying(const groth16::DeviceProverOptions& memory, unsigned h_copies_asked) {
  std::string copies = std::to_string(memory.h_copies);
  if (memory.h_copies != h_copies_asked) copies += fmt::format(" of {}", h_copies_asked);
  std::string text = fmt::format(
      "points on the card: {}; copies of H: {}; {} partitions a pass; quotient {}",
      groth16::to_string(memory.residency), copies, memory.masks, groth16::to_string(memory.room));
  if (memory.tile_log != 0) text += fmt::format("; tiles of 2^{}", memory.tile_log);
  return text;
}

}  // namespace

Outcome report_trial(const engine::DeviceTrialReport& trial, unsigned h_copies_asked,
                     const SessionView& session) {
  const groth16::DeviceProverOptions& memory = trial.memory;
  if (memory.h_copies < h_copies_asked) {
    trace::write_log(&session.tracer, "cli.bench", trace::Level::kWarning,
                     "the card has not the memory for all copies of H that were asked for",
                     {{"asked", h_copies_asked}, {"taken", memory.h_copies}});
  }
  Outcome outcome = report_on_card(figures_of(trial), trial.device, session);
  outcome.text += "\n" + lying(memory, h_copies_asked);
  outcome.result.add("partitions", std::uint64_t{trial.partitions})
      .add("verified", true)
      .add("plan_device_bytes", trial.plan.device_bytes())
      .add("peak_device_bytes", trial.peak_device_bytes)
      .add("device_used_bytes", trial.device_used_bytes)
      .add("residency", groth16::to_string(memory.residency))
      .add("room", groth16::to_string(memory.room))
      .add("tile_log", std::uint64_t{memory.tile_log})
      .add("h_copies", std::uint64_t{memory.h_copies})
      .add("h_copies_asked", std::uint64_t{h_copies_asked})
      .add("partitions_a_pass", std::uint64_t{memory.masks})
      .add("peak_memory_bytes", trial.peak_host_bytes);
  if (trial.load) outcome.result.add("load_seconds", trial.load->seconds());
  return outcome;
}

}  // namespace belfry::cli::bench
