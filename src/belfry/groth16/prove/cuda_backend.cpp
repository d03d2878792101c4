#include "belfry/groth16/prove/cuda_backend.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/drain.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/metrics.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/derived_trust.h"
#include "belfry/groth16/prove/device_fit_gpu.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/groth16/prove/residency.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.cuda";

/// A prover with its points in place.
struct Session {
  ParametersIdentity parameters;
  std::optional<DerivedParameters> derived;
  DeviceProver prover;

  /// Where the points lie: derived ones, or those of the batch.
  [[nodiscard]] HostPoints points(const ProveBatchView& batch) const {
    return derived ? derived->points() : HostPoints::of(batch.parameters);
  }
  /// BatchSums::derived of its proofs.
  [[nodiscard]] std::filesystem::path derived_file() const {
    return derived ? derived->path() : std::filesystem::path{};
  }
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(CudaDevice device, const CudaOptions& options, const Executor& executor)
      : device_(std::move(device)), options_(options), executor_(executor), upload_(executor) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "cuda"; }
  [[nodiscard]] std::string device() const override { return device_.describe(); }

  [[nodiscard]] Result<Plan> plan(const r1cs::Shape& shape, std::size_t partitions,
                                  std::uint64_t budget_bytes) const override;
  [[nodiscard]] Result<Plan> plan_with(const Parameters& parameters, const r1cs::Shape& shape,
                                       std::size_t partitions,
                                       std::uint64_t budget_bytes) const override;
  void distrust(const Parameters& parameters, const std::filesystem::path& derived) const override;
  [[nodiscard]] Result<BatchSums> run(const ProveBatchView& batch, const Plan& plan) const override;

 private:
  using Prepared = std::shared_ptr<const PreparedShape>;
  [[nodiscard]] Result<Prepared> prepared(const r1cs::Shape& shape, QuotientBasis basis) const;
  [[nodiscard]] Result<DeviceFit> fit(const Prepared& shape, std::size_t partitions) const;
  [[nodiscard]] Result<Plan> plan_in(QuotientBasis basis, const r1cs::Shape& shape,
                                     std::size_t partitions, std::uint64_t budget_bytes) const;
  [[nodiscard]] QuotientBasis promised_basis(const Parameters& parameters,
                                             const r1cs::Shape& shape) const;
  [[nodiscard]] Result<DeviceFit> find_fit(const Prepared& shape, std::size_t partitions) const;
  [[nodiscard]] Error does_not_fit(const Prepared& shape, const ResidencyQuestion& question) const;
  /// Makes the one allocation at least so large. No session is open.
  [[nodiscard]] Result<void> hold(std::uint64_t bytes) const;
  [[nodiscard]] Result<void> open_session(const ProveBatchView& batch) const;
  [[nodiscard]] Result<void> fill_session(const ProveBatchView& batch,
                                          ParametersIdentity identity) const;
  void report_session(const ProveBatchView& batch) const;
  void count_batch(const ProveBatchView& batch) const;
  [[nodiscard]] Result<BatchSums> run_locked(const ProveBatchView& batch) const;

  CudaDevice device_;
  CudaOptions options_;
  const Executor& executor_;
  gpu::Stream stream_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  mutable gpu::StagedUpload upload_;
  mutable std::array<Prepared, 2> shapes_;  ///< by basis
  /// The last answer of `fit` in each basis: proofs that follow each other ask nothing of the
  /// device.
  struct KnownFit {
    Prepared shape;
    std::size_t partitions;
    DeviceFit fit;
  };
  mutable std::array<std::optional<KnownFit>, 2> fits_;
  mutable std::unique_ptr<gpu::DeviceMemory> memory_;  ///< outlives the session's use of it
  mutable std::optional<Session> session_;
  mutable DerivedTrust trust_;
};

Result<void> CudaBackend::hold(std::uint64_t bytes) const {
  if (memory_ != nullptr && memory_->size_bytes() >= bytes) return {};
  memory_.reset();
  BELFRY_TRY(auto memory, gpu::DeviceMemory::allocate(bytes));
  memory_ = std::make_unique<gpu::DeviceMemory>(std::move(memory));
  return {};
}

Result<CudaBackend::Prepared> CudaBackend::prepared(const r1cs::Shape& shape,
                                                    QuotientBasis basis) const {
  Prepared& place = shapes_[static_cast<std::size_t>(basis)];
  if (place == nullptr || !place->is_of(shape)) {
    fits_[static_cast<std::size_t>(basis)].reset();
    BELFRY_TRY(place, PreparedShape::create(shape, basis));
  }
  return place;
}

Result<DeviceFit> CudaBackend::fit(const Prepared& shape, std::size_t partitions) const {
  std::optional<KnownFit>& known = fits_[static_cast<std::size_t>(shape->basis)];
  if (known && known->shape == shape && known->partitions == partitions) return known->fit;
  BELFRY_TRY(DeviceFit found, find_fit(shape, partitions));
  known = KnownFit{shape, partitions, found};
  return found;
}

Result<DeviceFit> CudaBackend::find_fit(const Prepared& shape, std::size_t partitions) const {
  BELFRY_TRY(const ResidencyQuestion question,
             residency_question(*shape, partitions, options_.h_copies));
  auto found = fit_on_device(shape, question, device_);
  if (found || found.error().code != ErrorCode::kResourceExhausted) return found;
  return fail(does_not_fit(shape, question));
}

Error CudaBackend::does_not_fit(const Prepared& shape, const ResidencyQuestion& question) const {
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (DeviceProverOptions options : residency_choices(question)) {
    options.sets_per_pass = 1;
    auto arena = gpu::Arena::unlimited();
    const auto prover = DeviceProver::take(shape, options, device_.info, arena, std::nullopt);
    if (prover) least = std::min(least, arena.peak_bytes());
  }
  return Error{
      ErrorCode::kResourceExhausted, std::string(kStage),
      "a proof of " + shape->shape.circuit_id() + " needs more device memory than there is"}
      .but(std::to_string(least) + " bytes", std::to_string(device_.budget_bytes) + " bytes")
      .with_hint(shape->basis == QuotientBasis::kCoefficients
                     ? "Raise --vram-budget, free memory of the card, make derived parameters with "
                       "belfry params derive, or use --backend cpu"
                     : "Raise --vram-budget, free memory of the card, or use --backend cpu");
}

Result<Plan> CudaBackend::plan_in(QuotientBasis basis, const r1cs::Shape& shape,
                                  std::size_t partitions, std::uint64_t budget_bytes) const {
  return gpu::run_stage([&]() -> Result<Plan> {
    BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
    BELFRY_TRY(const auto in_basis, prepared(shape, basis));
    BELFRY_TRY(DeviceFit fitting, fit(in_basis, partitions));
    return within_budget(Plan{.partitions = partitions, .stages = std::move(fitting.stages)}, shape,
                         budget_bytes, kStage);
  });
}

Result<Plan> CudaBackend::plan(const r1cs::Shape& shape, std::size_t partitions,
                               std::uint64_t budget_bytes) const {
  const std::scoped_lock lock(mutex_);
  // Whether there are derived parameters is not known yet: without them more memory is needed.
  return plan_in(QuotientBasis::kDomain, shape, partitions, budget_bytes);
}

Result<Plan> CudaBackend::plan_with(const Parameters& parameters, const r1cs::Shape& shape,
                                    std::size_t partitions, std::uint64_t budget_bytes) const {
  const std::scoped_lock lock(mutex_);
  return plan_in(promised_basis(parameters, shape), shape, partitions, budget_bytes);
}

/// Proofs that follow each other read no file again: the open session knows.
QuotientBasis CudaBackend::promised_basis(const Parameters& parameters,
                                          const r1cs::Shape& shape) const {
  const auto identity = ParametersIdentity::of(parameters);
  if (!trust_.trusts(identity)) return QuotientBasis::kCoefficients;
  if (session_ && session_->prover.shape().is_of(shape) && session_->parameters == identity) {
    return session_->prover.shape().basis;
  }
  return promises_derived(parameters, shape, options_.cache_dir) ? QuotientBasis::kDomain
                                                                 : QuotientBasis::kCoefficients;
}

void CudaBackend::distrust(const Parameters& parameters,
                           const std::filesystem::path& derived) const {
  const auto identity = ParametersIdentity::of(parameters);
  if (!derived.empty()) trust_.distrust(identity);
  const std::scoped_lock lock(mutex_);
  // What is in the memory may have made the bad proof: the next one has it anew from files, mended
  // or not. Points of others, or of these from another file, did not.
  const bool made_it =
      session_ && session_->parameters == identity && session_->derived_file() == derived;
  if (made_it) session_.reset();
}

Result<BatchSums> CudaBackend::run(const ProveBatchView& batch, const Plan& plan) const {
  BELFRY_CHECK(check_batch(batch, plan, kStage));
  const std::scoped_lock lock(mutex_);
  return gpu::run_or_drain(
      [&]() -> Result<BatchSums> {
        BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
        return run_locked(batch);
      },
      [this] {
        // Whatever failed, what is in the memory is not known, and work may be on its way there.
        gpu::drain(stream_);
        if (session_) session_->prover.drain();
        session_.reset();
      });
}

Result<void> CudaBackend::open_session(const ProveBatchView& batch) const {
  auto identity = ParametersIdentity::of(batch.parameters);
  if (session_ && session_->parameters == identity && session_->prover.shape().is_of(batch.shape) &&
      (!session_->derived || trust_.trusts(identity))) {
    BELFRY_TRY(const auto shape, prepared(batch.shape, session_->prover.shape().basis));
    BELFRY_TRY(const DeviceFit fitting, fit(shape, batch.witnesses.size()));
    if (serves(session_->prover.options(), fitting.options)) return {};
  }
  session_.reset();
  return fill_session(batch, std::move(identity));
}

Result<void> CudaBackend::fill_session(const ProveBatchView& batch,
                                       ParametersIdentity identity) const {
  const trace::Span span(batch.tracer, "groth16.load_parameters");
  std::optional<DerivedParameters> derived;
  if (trust_.trusts(identity)) {
    BELFRY_TRY(derived, find_derived(batch.parameters, batch.shape, options_.cache_dir,
                                     {executor_, batch.tracer, batch.cancel}));
  }
  BELFRY_TRY(const auto shape, prepared(batch.shape, derived ? QuotientBasis::kDomain
                                                             : QuotientBasis::kCoefficients));
  BELFRY_TRY(const DeviceFit fitting, fit(shape, batch.witnesses.size()));
  const Plan needed{.partitions = batch.witnesses.size(), .stages = fitting.stages};
  BELFRY_CHECK(hold(needed.device_bytes()));
  gpu::Arena arena(memory_->data(), memory_->size_bytes());
  BELFRY_TRY(auto prover, DeviceProver::take(shape, fitting.options, device_.info, arena,
                                             gpu::StreamRef(stream_)));
  Session session{std::move(identity), std::move(derived), std::move(prover)};
  BELFRY_CHECK(session.prover.load({session.points(batch), upload_},
                                   {executor_, batch.tracer, batch.cancel}, stream_));
  session_.emplace(std::move(session));
  report_session(batch);
  return {};
}

void CudaBackend::report_session(const ProveBatchView& batch) const {
  const DeviceProverOptions& options = session_->prover.options();
  const bool derived = session_->derived.has_value();
  trace::write_log(batch.tracer, "groth16", trace::Level::kInfo, "parameters are ready",
                   {{"residency", to_string(options.residency)},
                    {"room", to_string(options.room)},
                    {"tile_log", options.tile_log},
                    {"partitions_a_pass", options.masks},
                    {"h_copies", options.h_copies},
                    {"derived", derived ? "yes" : "no"}});
  if (derived) return;
  trace::write_log(batch.tracer, "groth16", trace::Level::kWarning,
                   "no derived parameters: proofs take six transforms instead of four; belfry "
                   "params derive makes them once");
}

void CudaBackend::count_batch(const ProveBatchView& batch) const {
  const auto partitions = static_cast<double>(batch.witnesses.size());
  const Residency residency = session_->prover.options().residency;
  if (residency != Residency::kAll) {
    trace::count(batch.tracer, kStreamedProofs, partitions, to_string(residency));
  }
  if (!session_->derived) trace::count(batch.tracer, kDerivedMissing, partitions);
}

Result<BatchSums> CudaBackend::run_locked(const ProveBatchView& batch) const {
  BELFRY_CHECK(open_session(batch));
  const trace::Span span(batch.tracer, "groth16.device_prove");
  count_batch(batch);
  BELFRY_TRY(auto sums, session_->prover.prove(batch.witnesses, {session_->points(batch), upload_},
                                               batch.cancel, stream_));
  for (const StageTime& time : session_->prover.times()) {
    trace::write_log(batch.tracer, "groth16", trace::Level::kDebug, "device stage",
                     {{"stage", time.name}, {"seconds", time.seconds}, {"runs", time.runs}});
  }
  return BatchSums{std::move(sums), session_->derived_file()};
}

}  // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options,
                                                   const Executor& executor) {
  BELFRY_TRY(CudaDevice device, open_cuda_device(options));
  return gpu::run_stage([&]() -> Result<std::unique_ptr<Backend>> {
    return std::make_unique<CudaBackend>(std::move(device), options, executor);
  });
}

}  // namespace belfry::groth16
