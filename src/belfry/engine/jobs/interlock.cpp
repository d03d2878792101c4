#include "belfry/engine/jobs/interlock.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/device_trial.h"
#include "belfry/engine/jobs/synthetic_witness.h"
#include "belfry/engine/jobs/two_lanes.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/prove/device_trial.h"

namespace belfry::engine {
namespace {

constexpr const char* kInterlockStage = "engine.interlock";

/// What both halves of a run work with.
struct InterlockView {
  const SyntheticSector& sector;
  const r1cs::WitnessLayout& layout;
  groth16::DeviceTrial& trial;
  const JobOptions& options;
};

struct HalfSeconds {
  double witness = 0;
  double upload = 0;
  double prove = 0;
};

using Proofs = std::vector<groth16::Proof>;

/// Makes the witnesses of one proof and brings them to a lane; `kept` has them until then.
Result<void> make_and_upload(const InterlockView& view, unsigned lane, SyntheticWitnesses& kept,
                             HalfSeconds& seconds) {
  trace::Span witness(view.options.tracer, "engine.interlock.witness");
  BELFRY_TRY(kept, view.sector.witnesses(view.layout, view.options));
  seconds.witness += witness.stop();
  trace::Span upload(view.options.tracer, "engine.interlock.upload");
  BELFRY_CHECK(view.trial.upload(lane, kept.values));
  seconds.upload += upload.stop();
  return {};
}

Result<Proofs> prove_lane(const InterlockView& view, unsigned lane, HalfSeconds& seconds) {
  trace::Span span(view.options.tracer, "engine.interlock.prove");
  BELFRY_TRY(const auto pending, view.trial.prove_lane(lane));
  BELFRY_TRY(auto proofs, groth16::finish(pending));
  seconds.prove += span.stop();
  return proofs;
}

using PublicInputs = std::vector<std::vector<Fr>>;

Result<void> verify(const InterlockView& view, const Proofs& proofs, const PublicInputs& inputs) {
  return verify_trial(view.trial.key(), proofs, inputs, view.options, kInterlockStage);
}

Result<double> run_alone(const InterlockView& view, unsigned proofs, HalfSeconds& seconds) {
  double wall = 0;
  for (unsigned k = 0; k < proofs; ++k) {
    SyntheticWitnesses witnesses;
    trace::Span span(view.options.tracer, "engine.interlock.alone");
    BELFRY_CHECK(make_and_upload(view, 0, witnesses, seconds));
    BELFRY_TRY(const Proofs made, prove_lane(view, 0, seconds));
    wall += span.stop();
    BELFRY_CHECK(verify(view, made, witnesses.public_inputs));
  }
  return wall;
}

struct InterlockedRun {
  double wall = 0;
  HalfSeconds seconds;
};

Result<InterlockedRun> run_interlocked(const InterlockView& view, unsigned proofs) {
  InterlockedRun out;
  HalfSeconds filling;  // of the thread that fills
  std::array<SyntheticWitnesses, kTwoLanes> lanes;
  std::vector<std::pair<Proofs, PublicInputs>> made;
  trace::Span span(view.options.tracer, "engine.interlock.interlocked");
  BELFRY_CHECK(work_in_two_lanes(
      proofs,
      [&](unsigned k) {
        return make_and_upload(view, k % kTwoLanes, lanes[k % kTwoLanes], filling);
      },
      [&](unsigned k) -> Result<void> {
        BELFRY_TRY(auto lane_proofs, prove_lane(view, k % kTwoLanes, out.seconds));
        made.emplace_back(std::move(lane_proofs), lanes[k % kTwoLanes].public_inputs);
        return {};
      }));
  out.wall = span.stop();
  out.seconds.witness = filling.witness;
  out.seconds.upload = filling.upload;
  for (const auto& [lane_proofs, inputs] : made) BELFRY_CHECK(verify(view, lane_proofs, inputs));
  return out;
}

}  // namespace

Result<void> check_one_pass(const groth16::DeviceProverOptions& options, unsigned partitions) {
  if (options.masks >= partitions) return {};
  return fail(Error{ErrorCode::kResourceExhausted, kInterlockStage,
                    "under this budget a lane does not hold all partitions of a proof"}
                  .but(std::to_string(partitions) + " partitions", std::to_string(options.masks))
                  .with_hint("Raise --vram-budget, or measure with belfry bench proof, which takes "
                             "any number of passes"));
}

double InterlockReport::hidden_share() const noexcept {
  const double most = std::min(witness_seconds + upload_seconds, prove_seconds);
  return most > 0 ? (alone_seconds - interlocked_seconds) / most : 0;
}

Result<InterlockReport> interlock_on_device(const filecoin::Circuit& circuit,
                                            const InterlockChoice& choice,
                                            const JobOptions& options) {
  const trace::Span span(options.tracer, kInterlockStage);
  BELFRY_CHECK(require_synthetic(circuit));
  BELFRY_CHECK(require_card(kHintOfTrials));
  const unsigned wanted = choice.partitions == 0 ? usual_partitions(circuit) : choice.partitions;
  InterlockReport report;
  report.proofs = std::max(choice.proofs, 1U);
  BELFRY_TRY(const r1cs::Shape shape, extract_shape(circuit, options));
  BELFRY_TRY(const SyntheticSector sector,
             SyntheticSector::create(circuit, std::min(wanted, kMostTrialPartitions), options));
  report.partitions = sector.partitions();
  BELFRY_TRY(const groth16::TestTrapdoor trapdoor, groth16::random_test_trapdoor());
  const groth16::TrialOptions trial_options{.cuda = choice.cuda,
                                            .partitions = report.partitions,
                                            .basis = groth16::QuotientBasis::kDomain,
                                            .lanes = kTwoLanes};
  BELFRY_TRY(const auto trial,
             groth16::make_device_trial(trial_options, shape, trapdoor, options.work()));
  BELFRY_CHECK(check_one_pass(trial->options(), report.partitions));
  report.device = trial->device();
  const r1cs::WitnessLayout layout = shape.layout();
  const InterlockView view{sector, layout, *trial, options};

  HalfSeconds alone;
  BELFRY_TRY(const double alone_wall, run_alone(view, report.proofs, alone));
  BELFRY_TRY(const InterlockedRun together, run_interlocked(view, report.proofs));
  const double each = 1.0 / report.proofs;
  report.witness_seconds = alone.witness * each;
  report.upload_seconds = alone.upload * each;
  report.prove_seconds = alone.prove * each;
  report.alone_seconds = alone_wall * each;
  report.interlocked_seconds = together.wall * each;
  report.overlap_seconds = each * (together.seconds.witness + together.seconds.upload +
                                   together.seconds.prove - together.wall);
  report.peak_device_bytes = trial->peak_bytes();
  BELFRY_TRY(report.device_used_bytes, trial->device_used_bytes());
  return report;
}

}  // namespace belfry::engine
