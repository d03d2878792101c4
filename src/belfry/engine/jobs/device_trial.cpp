#include "belfry/engine/jobs/device_trial.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/filecoin/porep/job.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr unsigned kMostPartitions = 10;
constexpr std::uint64_t kSeed = 1;

struct Witnesses {
  std::vector<r1cs::PackedWitness> values;
  std::vector<std::vector<Fr>> public_inputs;
};

Result<Witnesses> make_witnesses(const filecoin::PorepConfig& config, const r1cs::Shape& shape,
                                 unsigned partitions, const JobOptions& options) {
  const filecoin::C1Output c1 = filecoin::synthetic_c1(config, kSeed, options.executor);
  Witnesses out;
  for (unsigned k = 0; k < partitions; ++k) {
    BELFRY_CHECK(options.cancel.check("engine.device_trial"));
    BELFRY_TRY(auto partition,
               filecoin::prepare_partition(shape.layout(), c1, k, options.executor));
    out.values.push_back(std::move(partition.witness));
    out.public_inputs.push_back(std::move(partition.public_inputs));
  }
  return out;
}

/// One run: proofs of all witnesses, verified. Keeps the times of the best.
Result<void> run_once(groth16::DeviceTrial& trial, const Witnesses& witnesses,
                      const JobOptions& options, DeviceTrialReport& report) {
  trace::Span prove(options.tracer, "engine.device_trial.prove");
  BELFRY_TRY(const auto pending, trial.prove(witnesses.values));
  BELFRY_TRY(const auto proofs, groth16::finish(pending));
  const double prove_seconds = prove.stop();
  trace::Span verify(options.tracer, "engine.device_trial.verify");
  const groth16::PreparedVerifyingKey key(trial.key());
  BELFRY_TRY(const bool good,
             groth16::verify_batch(key, proofs, witnesses.public_inputs, options.executor));
  const double verify_seconds = verify.stop();
  if (!good) {
    return fail(ErrorCode::kBackendFailed, "engine.device_trial",
                "a proof of the device does not verify");
  }
  if (report.prove_seconds != 0 && report.prove_seconds <= prove_seconds) return {};
  report.prove_seconds = prove_seconds;
  report.verify_seconds = verify_seconds;
  report.stages = trial.stages();
  return {};
}

}  // namespace

Result<DeviceTrialReport> try_porep_on_device(const filecoin::PorepConfig& config,
                                              const DeviceTrialChoice& choice,
                                              const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.device_trial");
  const unsigned most = std::min(config.partitions(), kMostPartitions);
  DeviceTrialReport report;
  report.partitions = choice.partitions == 0 ? most : std::min(choice.partitions, most);
  BELFRY_TRY(const r1cs::Shape shape,
             extract_shape({filecoin::CircuitKind::kPorep, config.sector}, options));
  trace::Span witness_span(options.tracer, "engine.device_trial.witness");
  BELFRY_TRY(const Witnesses witnesses, make_witnesses(config, shape, report.partitions, options));
  report.witness_seconds = witness_span.stop();
  BELFRY_TRY(const groth16::TestTrapdoor trapdoor, groth16::random_test_trapdoor());
  BELFRY_TRY(const auto trial,
             groth16::make_device_trial({choice.cuda, report.partitions, choice.basis}, shape,
                                        trapdoor, options.work()));
  report.device = trial->device();
  report.setup_seconds = trial->setup_seconds();
  report.plan = trial->plan();
  for (unsigned run = 0; run < std::max(choice.runs, 1U); ++run) {
    BELFRY_CHECK(options.cancel.check("engine.device_trial"));
    BELFRY_CHECK(run_once(*trial, witnesses, options, report));
  }
  report.peak_device_bytes = trial->peak_bytes();
  report.peak_host_bytes = memory_use().peak_resident_bytes;
  return report;
}

}  // namespace belfry::engine
