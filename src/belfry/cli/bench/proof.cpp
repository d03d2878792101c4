#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

#include "belfry/base/cpu.h"
#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/floor.h"
#include "belfry/cli/bench/peak.h"
#include "belfry/cli/bench/report.h"
#include "belfry/cli/bench/witness_work.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/synthetic_witness.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/gpu/device.h"
#include "belfry/r1cs/shape.h"

namespace belfry::cli::bench {
namespace {

/// Half of the bits are ones; every field variable stands in L, A and B.
double proof_floor(const FloorModel& floor, const r1cs::Shape& shape) {
  const r1cs::WitnessLayout layout = shape.layout();
  const auto aux = static_cast<double>(shape.aux());
  const double ones = (aux - static_cast<double>(layout.fields())) / 2;
  return proof_seconds(floor,
                       {.bits_l = ones,
                        .bits_a = static_cast<double>(shape.dense_a_aux()) * ones / aux,
                        .bits_b = static_cast<double>(shape.dense_b_aux()) * ones / aux,
                        .fields = layout.fields(),
                        .fields_b = layout.fields(),
                        .log_rows = static_cast<unsigned>(std::bit_width(shape.rows() - 1))});
}

/// Whether the policy leads to a card, as it does for a proof. The bench of a card makes its own
/// parameters there and has the card's floors, so it is chosen before any work.
bool leads_to_card(const SessionView& session) {
  if (session.settings.backend != engine::BackendPolicy::kAuto) {
    return session.settings.backend == engine::BackendPolicy::kCuda;
  }
  const auto card = gpu::open_device(0);
  if (!card) engine::report_fallback(card.error(), &session.tracer, "measuring the CPU");
  return card.has_value();
}

/// The bench of a card reads no parameter files, which is said of the folder that may be meant.
void tell_own_parameters(const SessionView& session) {
  trace::write_log(&session.tracer, "cli.bench", trace::Level::kInfo,
                   "measuring the card with parameters made in its memory; no file is read",
                   {{"params", session.settings.params.string()}});
}

/// Options of the card that would change nothing.
Result<void> refuse_options_of_card(const Options& options) {
  const bool scratch = !options.scratch_file.empty();
  if (!scratch && options.h_copies == 1) return {};
  return fail(Error{ErrorCode::kInvalidUsage, "cli.bench",
                    scratch ? "--scratch-file is for the points that a GPU makes"
                            : "--h-copies is for points in the memory of a GPU"}
                  .with_hint("Add --backend cuda"));
}

}  // namespace

Result<Outcome> bench_proof(const Options& options, const SessionView& session) {
  if (leads_to_card(session)) {
    tell_own_parameters(session);
    return bench_on_device(options, 0, session);
  }
  BELFRY_CHECK(refuse_options_of_card(options));
  const FloorModel floor(best_isa(), session.executor.threads());
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  engine::JobOptions job = session.job_options();
  // The floor below is the CPU's.
  job.backend = engine::BackendPolicy::kCpu;
  BELFRY_TRY(const auto sector,
             engine::SyntheticSector::create(circuit, engine::usual_partitions(circuit), job));
  BELFRY_TRY(const r1cs::Shape shape, engine::load_shape(circuit, job));
  std::optional<engine::VerifiedProof> best;
  for (unsigned run = 0; run < options.runs; ++run) {
    BELFRY_TRY(auto proof, sector.prove(job));
    if (!best || proof.seconds.total < best->seconds.total) best = std::move(proof);
  }
  if (!best) return fail(ErrorCode::kInvalidUsage, "cli.bench", "nothing to run");
  const std::uint64_t count = best->partitions;
  const double prove_floor = static_cast<double>(count) * proof_floor(floor, shape);
  const double make_floor =
      static_cast<double>(count) *
      witness_seconds(floor, witness_work(circuit), shape.layout(), peak_read_bytes_per_second());
  Outcome outcome =
      report({{"witness", count, "partitions", best->seconds.witness, make_floor},
              {"prove", count, "partitions", best->seconds.prove, prove_floor},
              {"verify", count, "partitions", best->seconds.verify},
              {"total", count, "partitions", best->seconds.total, prove_floor + make_floor}},
             session);
  add_peak_memory(outcome, best->peak_memory_bytes);
  return outcome;
}

}  // namespace belfry::cli::bench
