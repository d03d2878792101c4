#include "belfry/filecoin/porep/witness.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/base/memory.h"
#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/floor.h"
#include "belfry/cli/bench/peak.h"
#include "belfry/cli/bench/report.h"
#include "belfry/cli/bench/witness_work.h"
#include "belfry/engine/jobs/synthetic_witness.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "belfry/filecoin/porep/vanilla_check.h"
#include "belfry/r1cs/shape.h"

namespace belfry::cli::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

struct Trial {
  const Options& options;
  const SessionView& session;
  const filecoin::Circuit& circuit;
  const FloorModel& floor;
};

struct Measured {
  std::vector<Figure> figures;
  Result<MemoryRise> rise;  ///< begun before the first witness
};

struct TimedShape {
  r1cs::Shape shape;
  Figure figure;
};

Result<TimedShape> extract_timed(const Trial& trial) {
  trace::Span span(nullptr, "cli.bench");
  BELFRY_TRY(r1cs::Shape shape, engine::extract_shape(trial.circuit, trial.session.job_options()));
  const std::uint64_t rows = shape.constraints();
  return TimedShape{std::move(shape), {"shape, once", rows, "rows", span.stop()}};
}

double witness_floor(const Trial& trial, const r1cs::WitnessLayout& layout) {
  return witness_seconds(trial.floor, witness_work(trial.circuit), layout,
                         peak_read_bytes_per_second());
}

/// Claims are checked apart, so that the witness stands alone.
Result<Measured> measure_porep(const Trial& trial) {
  const SessionView& session = trial.session;
  BELFRY_TRY(const TimedShape timed, extract_timed(trial));
  const filecoin::PorepConfig config = filecoin::synthetic_config(*trial.circuit.sector);
  const filecoin::C1Output c1 = filecoin::synthetic_partition(config, 0, kSeed, session.executor);
  BELFRY_TRY(const double check_seconds, best_of(trial.options.runs, session.cancel, [&] {
               return filecoin::check_vanilla_partition(c1, 0, session.executor);
             }));
  const r1cs::WitnessLayout layout = timed.shape.layout();
  // The floor is measured with memory of its own, so before the rise begins.
  const double floor = witness_floor(trial, layout);
  const auto rise = MemoryRise::start();
  BELFRY_TRY(const double witness_seconds,
             best_of(trial.options.runs, session.cancel, [&]() -> Result<void> {
               BELFRY_TRY(const auto witness,
                          filecoin::porep_witness(layout, c1, 0, session.executor));
               (void)witness;
               return {};
             }));
  return Measured{
      {timed.figure,
       {"checks, one partition", config.sector->challenges, "challenges", check_seconds,
        checks_seconds(trial.floor, witness_work(trial.circuit))},
       {"witness, one partition", timed.shape.aux(), "variables", witness_seconds, floor}},
      rise};
}

/// The other circuits check claims with the witness's own hashes.
Result<Measured> measure_others(const Trial& trial) {
  const engine::JobOptions job = trial.session.job_options();
  BELFRY_TRY(const auto sector, engine::SyntheticSector::create(trial.circuit, 1, job));
  BELFRY_TRY(const TimedShape timed, extract_timed(trial));
  const r1cs::WitnessLayout layout = timed.shape.layout();
  // The floor is measured with memory of its own, so before the rise begins.
  const double floor = witness_floor(trial, layout);
  const auto rise = MemoryRise::start();
  BELFRY_TRY(const double seconds,
             best_of(trial.options.runs, trial.session.cancel, [&]() -> Result<void> {
               BELFRY_TRY(const auto witnesses, sector.witnesses(layout, job));
               (void)witnesses;
               return {};
             }));
  return Measured{
      {timed.figure, {"checks and witness, one", timed.shape.aux(), "variables", seconds, floor}},
      rise};
}

}  // namespace

Result<Outcome> bench_witness(const Options& options, const SessionView& session) {
  const FloorModel floor(best_isa(), session.executor.threads());
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  const Trial trial{options, session, circuit, floor};
  const bool porep = circuit.kind == filecoin::CircuitKind::kPorep;
  BELFRY_TRY(const Measured measured, porep ? measure_porep(trial) : measure_others(trial));
  Outcome outcome = report(measured.figures, session);
  add_memory_rise(outcome, measured.rise, "the witness");
  return outcome;
}

}  // namespace belfry::cli::bench
