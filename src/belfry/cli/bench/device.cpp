#include "belfry/gpu/device.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/device_report.h"
#include "belfry/cli/bench/report.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/device_trial.h"
#include "belfry/engine/jobs/interlock.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/prove/cuda_backend.h"
#include "belfry/groth16/prove/kernel_trial.h"

namespace belfry::cli::bench {
namespace {

/// A bench that has nothing to measure on the CPU does not pretend to.
Result<void> refuse_cpu(const SessionView& session) {
  if (session.settings.backend != engine::BackendPolicy::kCpu) return {};
  return fail(Error{ErrorCode::kInvalidUsage, "cli.bench", "this bench measures a GPU"}
                  .in_section("backend")
                  .but("auto or cuda", "cpu")
                  .with_hint("Leave out --backend cpu; belfry bench proof measures the CPU too"));
}

}  // namespace

Result<Outcome> bench_on_device(const Options& options, unsigned partitions,
                                const SessionView& session) {
  BELFRY_CHECK(refuse_cpu(session));
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  engine::DeviceTrialChoice choice{.partitions = partitions, .runs = options.runs, .cuda = {}};
  choice.cuda.vram_budget_bytes = session.settings.vram_budget_bytes;
  choice.cuda.h_copies = options.h_copies;
  choice.scratch_file = options.scratch_file;
  BELFRY_TRY(const auto tried, engine::try_on_device(circuit, choice, session.job_options()));
  return report_trial(tried, options.h_copies, session);
}

Result<Outcome> bench_kernels(const Options& options, const SessionView& session) {
  BELFRY_CHECK(refuse_cpu(session));
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  const auto device = gpu::open_device(0);
  if (!device) return fail(engine::refusal_of_cuda(device.error(), engine::kHintOfTrials));
  BELFRY_TRY(const auto shape, engine::extract_shape(circuit, session.job_options()));
  const groth16::CudaOptions cuda{.vram_budget_bytes = session.settings.vram_budget_bytes};
  BELFRY_TRY(const auto times, groth16::time_kernels(cuda, options.log_size, options.runs, shape,
                                                     session.job_options().work()));
  std::vector<Figure> figures;
  for (const groth16::KernelTime& time : times) {
    figures.push_back({time.name, static_cast<std::uint64_t>(time.items), time.unit, time.seconds,
                       time.floor_seconds});
  }
  Outcome outcome = report_on_card(figures, device->name, session);
  outcome.result.add("log_size", std::uint64_t{options.log_size}).add("circuit", options.circuit);
  return outcome;
}

Result<Outcome> bench_interlock(const Options& options, const SessionView& session) {
  BELFRY_CHECK(refuse_cpu(session));
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  engine::InterlockChoice choice{.proofs = options.proofs, .partitions = 0, .cuda = {}};
  choice.cuda.vram_budget_bytes = session.settings.vram_budget_bytes;
  choice.cuda.h_copies = options.h_copies;
  BELFRY_TRY(const auto found, engine::interlock_on_device(circuit, choice, session.job_options()));
  const std::uint64_t count = found.partitions;
  Outcome outcome =
      report_on_card({{"checks and witness", count, "partitions", found.witness_seconds},
                      {"upload", count, "partitions", found.upload_seconds},
                      {"prove", count, "partitions", found.prove_seconds},
                      {"a proof alone", count, "partitions", found.alone_seconds},
                      {"a proof of two in flight", count, "partitions", found.interlocked_seconds},
                      {"both sides at work", count, "partitions", found.overlap_seconds}},
                     found.device, session);
  constexpr double kPercent = 100;
  outcome.text = fmt::format("{}\n{:.0f} % of what could be hidden was, {} proofs in a row",
                             outcome.text, kPercent * found.hidden_share(), found.proofs);
  outcome.result.add("partitions", count)
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
