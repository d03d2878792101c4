#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/report.h"
#include "belfry/engine/jobs/device_trial.h"
#include "belfry/engine/jobs/interlock.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/kernel_trial.h"

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

/// A card or a build that isn't there is a backend's failure, not a missing file.
Error without_gpu(Error error) {
  if (error.code != ErrorCode::kNotFound) return error;
  error.code = ErrorCode::kBackendFailed;
  return std::move(error).with_hint("This bench needs an NVIDIA card and a build of preset cuda");
}

}  // namespace

Result<Outcome> bench_on_device(const Options& options, unsigned partitions,
                                const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  engine::DeviceTrialChoice choice{.partitions = partitions, .runs = options.runs, .cuda = {}};
  choice.cuda.vram_budget_bytes = session.settings.vram_budget_bytes;
  choice.cuda.h_copies = options.h_copies;
  choice.scratch_file = options.scratch_file;
  const auto tried = engine::try_on_device(circuit, choice, session.job_options());
  if (!tried) return fail(without_gpu(tried.error()));
  const engine::DeviceTrialReport& trial = *tried;
  Outcome outcome = report(figures_of(trial), session);
  outcome.text = trial.device + "\n" + outcome.text;
  outcome.result.add("device", trial.device)
      .add("partitions", std::uint64_t{trial.partitions})
      .add("verified", true)
      .add("plan_device_bytes", trial.plan.device_bytes())
      .add("peak_device_bytes", trial.peak_device_bytes)
      .add("device_used_bytes", trial.device_used_bytes)
      .add("residency", groth16::to_string(trial.memory.residency))
      .add("tile_log", std::uint64_t{trial.memory.tile_log})
      .add("peak_memory_bytes", trial.peak_host_bytes);
  if (trial.load) outcome.result.add("load_seconds", trial.load->seconds());
  return outcome;
}

Result<Outcome> bench_kernels(const Options& options, const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  const auto devices = groth16::cuda_devices();
  if (!devices) return fail(without_gpu(devices.error()));
  BELFRY_TRY(const auto shape, engine::extract_shape(circuit, session.job_options()));
  const groth16::CudaOptions cuda{.vram_budget_bytes = session.settings.vram_budget_bytes};
  BELFRY_TRY(const auto times, groth16::time_kernels(cuda, options.log_size, options.runs, shape,
                                                     session.job_options().work()));
  std::vector<Figure> figures;
  for (const groth16::KernelTime& time : times) {
    figures.push_back({time.name, static_cast<std::uint64_t>(time.items), time.unit, time.seconds,
                       time.floor_seconds});
  }
  Outcome outcome = report(figures, session);
  outcome.result.add("log_size", std::uint64_t{options.log_size}).add("circuit", options.circuit);
  return outcome;
}

Result<Outcome> bench_interlock(const Options& options, const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  engine::InterlockChoice choice{.proofs = options.proofs, .partitions = 0, .cuda = {}};
  choice.cuda.vram_budget_bytes = session.settings.vram_budget_bytes;
  choice.cuda.h_copies = options.h_copies;
  const auto tried = engine::interlock_on_device(circuit, choice, session.job_options());
  if (!tried) return fail(without_gpu(tried.error()));
  const auto& found = *tried;
  const std::uint64_t count = found.partitions;
  Outcome outcome =
      report({{"checks and witness", count, "partitions", found.witness_seconds},
              {"upload", count, "partitions", found.upload_seconds},
              {"prove", count, "partitions", found.prove_seconds},
              {"a proof alone", count, "partitions", found.alone_seconds},
              {"a proof of two in flight", count, "partitions", found.interlocked_seconds},
              {"both sides at work", count, "partitions", found.overlap_seconds}},
             session);
  constexpr double kPercent = 100;
  outcome.text =
      fmt::format("{}\n{}\n{:.0f} % of what could be hidden was, {} proofs in a row", found.device,
                  outcome.text, kPercent * found.hidden_share(), found.proofs);
  outcome.result.add("device", found.device)
      .add("partitions", count)
      .add("proofs", std::uint64_t{found.proofs})
      .add("verified", true)
      .add("hidden_share", found.hidden_share())
      .add("peak_device_bytes", found.peak_device_bytes)
      .add("device_used_bytes", found.device_used_bytes);
  return outcome;
}

Result<Outcome> bench_partition(const Options& options, const SessionView& session) {
  return bench_on_device(options, 1, session);
}

}  // namespace belfry::cli::bench
