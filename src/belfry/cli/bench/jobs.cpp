#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/base/file.h"
#include "belfry/base/memory.h"
#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/floor.h"
#include "belfry/cli/bench/report.h"
#include "belfry/config/size.h"
#include "belfry/engine/jobs/porep.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "belfry/filecoin/porep/vanilla_check.h"
#include "belfry/filecoin/porep/witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::cli::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

/// At least a multiplication for every field variable, spread over all threads.
double witness_floor(const FloorModel& floor, const r1cs::WitnessLayout& layout) {
  return static_cast<double>(layout.fields()) * floor.fr_multiply_seconds();
}

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

void add_memory(Outcome& outcome, std::uint64_t peak_bytes) {
  outcome.text += "\npeak memory " + config::approximate_size(peak_bytes);
  outcome.result.add("peak_memory_bytes", peak_bytes);
}

}  // namespace

Result<filecoin::PorepConfig> porep_config_of(const std::string& name) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(name));
  if (circuit.kind != filecoin::CircuitKind::kPorep) {
    return fail(
        Error{ErrorCode::kNotFound, "cli.bench", "on the CPU this bench is of PoRep alone"}.but(
            "a circuit such as porep-2KiB", name));
  }
  return filecoin::synthetic_config(*circuit.sector);
}

Result<Outcome> bench_c1(const Options& options, const SessionView& session) {
  BELFRY_TRY(const MappedFile file, MappedFile::open(options.c1));
  BELFRY_TRY(const double seconds, best_of(options.runs, session.cancel, [&]() -> Result<void> {
               BELFRY_TRY(const auto c1, filecoin::parse_c1(file.bytes(), options.c1));
               (void)c1;
               return {};
             }));
  return report({{"C1 parse", file.bytes().size(), "bytes", seconds}}, session);
}

Result<Outcome> bench_witness(const Options& options, const SessionView& session) {
  const FloorModel floor(best_isa(), session.executor.threads());
  BELFRY_TRY(const auto config, porep_config_of(options.circuit));
  const filecoin::Circuit circuit{filecoin::CircuitKind::kPorep, config.sector};
  trace::Span shape_span(nullptr, "cli.bench");
  BELFRY_TRY(const r1cs::Shape shape, engine::extract_shape(circuit, session.job_options()));
  const double shape_seconds = shape_span.stop();
  const filecoin::C1Output c1 = filecoin::synthetic_partition(config, 0, kSeed, session.executor);
  BELFRY_TRY(const double check_seconds,
             best_of(options.runs, session.cancel, [&]() -> Result<void> {
               BELFRY_CHECK(filecoin::check_vanilla_partition(c1, 0, session.executor));
               return {};
             }));
  BELFRY_TRY(const double witness_seconds,
             best_of(options.runs, session.cancel, [&]() -> Result<void> {
               BELFRY_TRY(const auto witness,
                          filecoin::porep_witness(shape.layout(), c1, 0, session.executor));
               (void)witness;
               return {};
             }));
  Outcome outcome =
      report({{"shape, once", shape.constraints(), "rows", shape_seconds},
              {"checks, one partition", config.sector->challenges, "challenges", check_seconds},
              {"witness, one partition", shape.aux(), "variables", witness_seconds,
               witness_floor(floor, shape.layout())}},
             session);
  add_memory(outcome, memory_use().peak_resident_bytes);
  return outcome;
}

Result<Outcome> bench_proof(const Options& options, const SessionView& session) {
  if (session.settings.backend == engine::BackendPolicy::kCuda) {
    return bench_on_device(options, 0, session);
  }
  if (!options.scratch_file.empty()) {
    return fail(Error{ErrorCode::kInvalidUsage, "cli.bench",
                      "--scratch-file is for the points that a GPU makes"}
                    .with_hint("Add --backend cuda"));
  }
  const FloorModel floor(best_isa(), session.executor.threads());
  BELFRY_TRY(const auto config, porep_config_of(options.circuit));
  const filecoin::Circuit circuit{filecoin::CircuitKind::kPorep, config.sector};
  BELFRY_TRY(const r1cs::Shape shape, engine::load_shape(circuit, session.job_options()));
  const filecoin::C1Output c1 = filecoin::synthetic_c1(config, kSeed, session.executor);
  std::optional<engine::VerifiedProof> best;
  for (unsigned run = 0; run < options.runs; ++run) {
    BELFRY_TRY(auto proof, engine::prove_porep(c1, {}, session.job_options()));
    if (!best || proof.seconds.total < best->seconds.total) best = std::move(proof);
  }
  if (!best) return fail(ErrorCode::kInvalidUsage, "cli.bench", "nothing to run");
  const std::uint64_t count = best->partitions;
  const double prove_floor = static_cast<double>(count) * proof_floor(floor, shape);
  const double make_floor = static_cast<double>(count) * witness_floor(floor, shape.layout());
  Outcome outcome =
      report({{"witness", count, "partitions", best->seconds.witness, make_floor},
              {"prove", count, "partitions", best->seconds.prove, prove_floor},
              {"verify", count, "partitions", best->seconds.verify},
              {"total", count, "partitions", best->seconds.total, prove_floor + make_floor}},
             session);
  add_memory(outcome, best->peak_memory_bytes);
  return outcome;
}

}  // namespace belfry::cli::bench
