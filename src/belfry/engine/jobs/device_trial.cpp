#include "belfry/engine/jobs/device_trial.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/scratch_file.h"
#include "belfry/engine/jobs/synthetic_witness.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr const char* kStage = "engine.device_trial";

/// One run: proofs of all witnesses, verified. Keeps the times of the best.
Result<void> run_once(groth16::DeviceTrial& trial, const SyntheticWitnesses& witnesses,
                      const JobOptions& options, DeviceTrialReport& report) {
  trace::Span prove(options.tracer, "engine.device_trial.prove");
  BELFRY_TRY(const auto pending, trial.prove(witnesses.values));
  BELFRY_TRY(const auto proofs, groth16::finish(pending));
  const double prove_seconds = prove.stop();
  trace::Span verify(options.tracer, "engine.device_trial.verify");
  BELFRY_CHECK(verify_trial(trial.key(), proofs, witnesses.public_inputs, options, kStage));
  const double verify_seconds = verify.stop();
  BELFRY_TRY(const std::uint64_t used, trial.device_used_bytes());
  report.device_used_bytes = std::max(report.device_used_bytes, used);
  if (report.prove_seconds != 0 && report.prove_seconds <= prove_seconds) return {};
  report.prove_seconds = prove_seconds;
  report.verify_seconds = verify_seconds;
  report.stages = trial.stages();
  return {};
}

/// Takes the place where the points go, if they are wanted.
Result<std::optional<ScratchFile>> reserve_scratch(const DeviceTrialChoice& choice) {
  if (choice.scratch_file.empty()) return std::optional<ScratchFile>();
  if (choice.basis != groth16::QuotientBasis::kDomain) {
    return fail(ErrorCode::kInvalidUsage, kStage, "derived parameters are points of the domain");
  }
  BELFRY_TRY(ScratchFile file, ScratchFile::reserve(choice.scratch_file));
  return std::optional(std::move(file));
}

/// Writes the trial's points to a file, lets the trial go, and loads the file twice.
Result<groth16::LoadTimes> time_load(std::unique_ptr<groth16::DeviceTrial> trial,
                                     const r1cs::Shape& shape, const DeviceTrialChoice& choice,
                                     unsigned partitions, const JobOptions& options) {
  BELFRY_CHECK(trial->save(choice.scratch_file));
  trial.reset();
  groth16::LoadTimes best;
  for (unsigned run = 0; run < 2; ++run) {
    BELFRY_TRY(const auto times,
               groth16::time_derived_load(choice.scratch_file, shape,
                                          {choice.cuda, partitions, choice.basis}, options.work()));
    if (run == 0 || times.seconds() < best.seconds()) best = times;
  }
  return best;
}

}  // namespace

Result<DeviceTrialReport> try_on_device(const filecoin::Circuit& circuit,
                                        const DeviceTrialChoice& choice,
                                        const JobOptions& options) {
  const trace::Span span(options.tracer, kStage);
  BELFRY_CHECK(require_synthetic(circuit));
  BELFRY_TRY(const auto scratch, reserve_scratch(choice));
  BELFRY_CHECK(require_card(kHintOfTrials));
  const unsigned wanted = choice.partitions == 0 ? usual_partitions(circuit) : choice.partitions;
  DeviceTrialReport report;
  BELFRY_TRY(const r1cs::Shape shape, extract_shape(circuit, options));
  BELFRY_TRY(const SyntheticSector sector,
             SyntheticSector::create(circuit, std::min(wanted, kMostTrialPartitions), options));
  report.partitions = sector.partitions();
  trace::Span witness_span(options.tracer, "engine.device_trial.witness");
  BELFRY_TRY(const SyntheticWitnesses witnesses, sector.witnesses(shape.layout(), options));
  report.witness_seconds = witness_span.stop();
  BELFRY_TRY(const groth16::TestTrapdoor trapdoor, groth16::random_test_trapdoor());
  BELFRY_TRY(auto trial, groth16::make_device_trial({choice.cuda, report.partitions, choice.basis},
                                                    shape, trapdoor, options.work()));
  report.device = trial->device();
  report.setup_seconds = trial->setup_seconds();
  report.plan = trial->plan();
  for (unsigned run = 0; run < std::max(choice.runs, 1U); ++run) {
    BELFRY_CHECK(options.cancel.check(kStage));
    BELFRY_CHECK(run_once(*trial, witnesses, options, report));
  }
  report.peak_device_bytes = trial->peak_bytes();
  report.peak_host_bytes = memory_use().peak_resident_bytes;
  report.memory = trial->options();
  if (scratch) {
    BELFRY_TRY(report.load, time_load(std::move(trial), shape, choice, report.partitions, options));
  }
  return report;
}

Result<void> verify_trial(const groth16::VerifyingKey& trial_key,
                          std::span<const groth16::Proof> proofs,
                          std::span<const std::vector<Fr>> public_inputs, const JobOptions& options,
                          const char* stage) {
  const groth16::PreparedVerifyingKey key(trial_key);
  BELFRY_TRY(const bool good,
             groth16::verify_bytes(key, groth16::encode(proofs), public_inputs, options.executor));
  if (good) return {};
  return fail(ErrorCode::kBackendFailed, stage, "a proof of the device does not verify");
}

}  // namespace belfry::engine
