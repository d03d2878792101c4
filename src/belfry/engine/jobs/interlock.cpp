#include "belfry/engine/jobs/interlock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "belfry/engine/jobs/synthetic_witness.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/prove/device_trial.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr const char* kInterlockStage = "engine.interlock";
constexpr unsigned kInterlockLanes = 2;
constexpr unsigned kInterlockPartitions = 10;

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
  const groth16::PreparedVerifyingKey key(view.trial.key());
  BELFRY_TRY(const bool good, groth16::verify_batch(key, proofs, inputs, view.options.executor));
  if (good) return {};
  return fail(ErrorCode::kBackendFailed, kInterlockStage, "a proof of the device does not verify");
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

/// The two lanes between the thread that fills them and the one that proves them. Each lane belongs
/// to one of the two at a time: the semaphores hand it over.
class Lanes {
 public:
  /// Fills lane after lane; ends early after an error, or when told to.
  void fill(const InterlockView& view, unsigned proofs) {
    for (unsigned k = 0; k < proofs; ++k) {
      room_.acquire();
      if (stopped_) return;
      Lane& lane = lanes_[k % kInterlockLanes];
      lane.filled = make_and_upload(view, k % kInterlockLanes, lane.witnesses, seconds_);
      const bool good = lane.filled.has_value();
      ready_.release();
      if (!good) return;
    }
  }
  /// Waits until the lane is full; its public inputs, or why it is not.
  [[nodiscard]] Result<PublicInputs> wait(unsigned lane) {
    ready_.acquire();
    BELFRY_CHECK(lanes_[lane].filled);
    return lanes_[lane].witnesses.public_inputs;
  }
  /// The lane that was waited for may be filled anew.
  void release() { room_.release(); }
  void stop() {
    stopped_ = true;
    room_.release();
  }
  /// Of the filling thread, when it has ended.
  [[nodiscard]] const HalfSeconds& seconds() const { return seconds_; }

 private:
  struct Lane {
    SyntheticWitnesses witnesses;
    Result<void> filled;
  };
  static constexpr std::ptrdiff_t kMostTokens = 2 * kInterlockLanes;

  std::counting_semaphore<kMostTokens> room_{kInterlockLanes};
  std::counting_semaphore<kMostTokens> ready_{0};
  std::atomic<bool> stopped_ = false;
  std::array<Lane, kInterlockLanes> lanes_;
  HalfSeconds seconds_;
};

struct InterlockedRun {
  double wall = 0;
  HalfSeconds seconds;
};

Result<void> prove_all(const InterlockView& view, unsigned proofs, Lanes& lanes,
                       HalfSeconds& seconds, std::vector<std::pair<Proofs, PublicInputs>>& made) {
  for (unsigned k = 0; k < proofs; ++k) {
    BELFRY_TRY(auto inputs, lanes.wait(k % kInterlockLanes));
    BELFRY_TRY(auto lane_proofs, prove_lane(view, k % kInterlockLanes, seconds));
    lanes.release();
    made.emplace_back(std::move(lane_proofs), std::move(inputs));
  }
  return {};
}

Result<InterlockedRun> run_interlocked(const InterlockView& view, unsigned proofs) {
  InterlockedRun out;
  Lanes lanes;
  std::vector<std::pair<Proofs, PublicInputs>> made;
  trace::Span span(view.options.tracer, "engine.interlock.interlocked");
  Result<void> outcome;
  {
    const std::jthread filler([&lanes, &view, proofs] { lanes.fill(view, proofs); });
    outcome = prove_all(view, proofs, lanes, out.seconds, made);
    if (!outcome) lanes.stop();
  }
  out.wall = span.stop();
  BELFRY_CHECK(outcome);
  out.seconds.witness = lanes.seconds().witness;
  out.seconds.upload = lanes.seconds().upload;
  for (const auto& [lane_proofs, inputs] : made) BELFRY_CHECK(verify(view, lane_proofs, inputs));
  return out;
}

}  // namespace

double InterlockReport::hidden_share() const noexcept {
  const double most = std::min(witness_seconds + upload_seconds, prove_seconds);
  return most > 0 ? (alone_seconds - interlocked_seconds) / most : 0;
}

Result<InterlockReport> interlock_on_device(const filecoin::Circuit& circuit,
                                            const InterlockChoice& choice,
                                            const JobOptions& options) {
  const trace::Span span(options.tracer, kInterlockStage);
  const unsigned wanted = choice.partitions == 0 ? usual_partitions(circuit) : choice.partitions;
  InterlockReport report;
  report.proofs = std::max(choice.proofs, 1U);
  BELFRY_TRY(const r1cs::Shape shape, extract_shape(circuit, options));
  BELFRY_TRY(const SyntheticSector sector,
             SyntheticSector::create(circuit, std::min(wanted, kInterlockPartitions), options));
  report.partitions = sector.partitions();
  BELFRY_TRY(const groth16::TestTrapdoor trapdoor, groth16::random_test_trapdoor());
  const groth16::TrialOptions trial_options{.cuda = choice.cuda,
                                            .partitions = report.partitions,
                                            .basis = groth16::QuotientBasis::kDomain,
                                            .lanes = kInterlockLanes};
  BELFRY_TRY(const auto trial,
             groth16::make_device_trial(trial_options, shape, trapdoor, options.work()));
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
  return report;
}

}  // namespace belfry::engine
