#include "belfry/groth16/prove/cuda_backend.h"

#include <algorithm>
#include <filesystem>
#include <memory>
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
#include "belfry/groth16/prove/device_plans_gpu.h"
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
      : device_(std::move(device)),
        options_(options),
        executor_(executor),
        plans_(device_, options.h_copies),
        upload_(executor) {}

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
  [[nodiscard]] bool trusts_derived_of(const Parameters& parameters) const;
  [[nodiscard]] QuotientBasis promised_basis(const Parameters& parameters,
                                             const r1cs::Shape& shape) const;
  void close_session() const;
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
  mutable DerivedTrust trust_;
  mutable DevicePlans plans_;
  mutable std::mutex mutex_;  ///< held by whoever proves; plans are made without it
  // Guarded by mutex_.
  mutable gpu::StagedUpload upload_;
  mutable std::unique_ptr<gpu::DeviceMemory> memory_;  ///< outlives the session's use of it
  mutable std::optional<Session> session_;
};

Result<void> CudaBackend::hold(std::uint64_t bytes) const {
  if (memory_ != nullptr && memory_->size_bytes() >= bytes) return {};
  memory_.reset();
  BELFRY_TRY(auto memory, gpu::DeviceMemory::allocate(bytes));
  memory_ = std::make_unique<gpu::DeviceMemory>(std::move(memory));
  return {};
}

Result<Plan> CudaBackend::plan(const r1cs::Shape& shape, std::size_t partitions,
                               std::uint64_t budget_bytes) const {
  // Whether there are derived parameters is not known yet: without them more memory is needed.
  return plans_.plan(QuotientBasis::kDomain, shape, partitions, budget_bytes);
}

Result<Plan> CudaBackend::plan_with(const Parameters& parameters, const r1cs::Shape& shape,
                                    std::size_t partitions, std::uint64_t budget_bytes) const {
  return plans_.plan(promised_basis(parameters, shape), shape, partitions, budget_bytes);
}

/// Whether nothing that lies where derived parameters are looked for made a bad proof.
bool CudaBackend::trusts_derived_of(const Parameters& parameters) const {
  if (trust_.trusts_all()) return true;
  const auto paths = derived_paths(parameters, options_.cache_dir);
  return std::all_of(paths.begin(), paths.end(),
                     [this](const std::filesystem::path& path) { return trust_.trusts(path); });
}

/// Proofs that follow each other read no file again: the open session knows.
QuotientBasis CudaBackend::promised_basis(const Parameters& parameters,
                                          const r1cs::Shape& shape) const {
  const auto identity = ParametersIdentity::of(parameters);
  if (!trusts_derived_of(parameters)) return QuotientBasis::kCoefficients;
  if (const auto basis = plans_.loaded_basis(identity, shape)) return *basis;
  return promises_derived(parameters, shape, options_.cache_dir) ? QuotientBasis::kDomain
                                                                 : QuotientBasis::kCoefficients;
}

void CudaBackend::distrust(const Parameters& parameters,
                           const std::filesystem::path& derived) const {
  const auto identity = ParametersIdentity::of(parameters);
  if (!derived.empty()) trust_.distrust(derived);
  const std::scoped_lock lock(mutex_);
  // What is in the memory may have made the bad proof: the next one has it anew from files, mended
  // or not. Points of others, or of these from another file, did not.
  const bool made_it =
      session_ && session_->parameters == identity && session_->derived_file() == derived;
  if (made_it) close_session();
}

void CudaBackend::close_session() const {
  session_.reset();
  plans_.clear_loaded();
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
        close_session();
      });
}

Result<void> CudaBackend::open_session(const ProveBatchView& batch) const {
  auto identity = ParametersIdentity::of(batch.parameters);
  if (session_ && session_->parameters == identity && session_->prover.shape().is_of(batch.shape) &&
      (!session_->derived || trust_.trusts_loaded(session_->derived_file()))) {
    BELFRY_TRY(const auto shape, plans_.prepared(batch.shape, session_->prover.shape().basis));
    BELFRY_TRY(const DeviceFit fitting, plans_.fit(shape, batch.witnesses.size()));
    if (serves(session_->prover.options(), fitting.options)) return {};
  }
  close_session();
  return fill_session(batch, std::move(identity));
}

Result<void> CudaBackend::fill_session(const ProveBatchView& batch,
                                       ParametersIdentity identity) const {
  const trace::Span span(batch.tracer, "groth16.load_parameters");
  std::optional<DerivedParameters> derived;
  if (trusts_derived_of(batch.parameters)) {
    BELFRY_TRY(derived, find_derived(batch.parameters, batch.shape, options_.cache_dir,
                                     {executor_, batch.tracer, batch.cancel}));
    if (derived) trust_.loaded(derived->path());
  }
  BELFRY_TRY(const auto shape,
             plans_.prepared(batch.shape,
                             derived ? QuotientBasis::kDomain : QuotientBasis::kCoefficients));
  BELFRY_TRY(const DeviceFit fitting, plans_.fit(shape, batch.witnesses.size()));
  const Plan needed{.partitions = batch.witnesses.size(), .stages = fitting.stages};
  BELFRY_CHECK(hold(needed.device_bytes()));
  gpu::Arena arena(memory_->data(), memory_->size_bytes());
  BELFRY_TRY(auto prover, DeviceProver::take(shape, fitting.options, device_.info, arena,
                                             gpu::StreamRef(stream_)));
  Session session{std::move(identity), std::move(derived), std::move(prover)};
  BELFRY_CHECK(session.prover.load({session.points(batch), upload_},
                                   {executor_, batch.tracer, batch.cancel}, stream_));
  session_.emplace(std::move(session));
  plans_.set_loaded(session_->parameters, shape);
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
