#include "belfry/groth16/prove/cuda_backend.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/device_parameters_gpu.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/msm/pattern_core.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.cuda";

/// Which file's points are in memory: its name, its size, and all that stands before the points.
struct ParametersIdentity {
  std::string path;
  std::uint64_t bytes = 0;
  std::vector<std::uint8_t> key;

  static ParametersIdentity of(const Parameters& parameters) {
    const ByteSpan all = parameters.bytes();
    const ByteSpan key = all.first(parameters.layout(Section::kH).points_offset());
    return {parameters.path().string(), all.size(), {key.begin(), key.end()}};
  }
  friend bool operator==(const ParametersIdentity&, const ParametersIdentity&) = default;
};

/// A prover with its points in place.
struct Session {
  ParametersIdentity parameters;
  DeviceProver prover;
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(CudaDevice device, const CudaOptions& options, const Executor& executor)
      : device_(std::move(device)), options_(options), upload_(executor) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "cuda"; }
  [[nodiscard]] std::string device() const override { return device_.describe(); }

  [[nodiscard]] Result<Plan> plan(const r1cs::Shape& shape, std::size_t partitions,
                                  std::uint64_t budget_bytes) const override;
  [[nodiscard]] Result<std::vector<PartialSums>> run(const ProveBatchView& batch,
                                                     const Plan& plan) const override;

 private:
  [[nodiscard]] Result<std::shared_ptr<const PreparedShape>> prepared(
      const r1cs::Shape& shape) const;
  [[nodiscard]] DeviceProverOptions prover_options(std::size_t partitions) const;
  /// The options that fit, and the stages under them.
  struct Fit {
    DeviceProverOptions options;
    std::vector<StagePlan> stages;
  };
  [[nodiscard]] Result<Fit> fit(const std::shared_ptr<const PreparedShape>& shape,
                                std::size_t partitions) const;
  [[nodiscard]] Error does_not_fit(const std::shared_ptr<const PreparedShape>& shape) const;
  /// Makes the one allocation at least so large. No session is open.
  [[nodiscard]] Result<void> hold(std::uint64_t bytes) const;
  [[nodiscard]] Result<void> open_session(const ProveBatchView& batch) const;
  [[nodiscard]] Result<std::vector<PartialSums>> run_locked(const ProveBatchView& batch) const;

  CudaDevice device_;
  CudaOptions options_;
  gpu::Stream stream_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  mutable gpu::StagedUpload upload_;
  mutable std::shared_ptr<const PreparedShape> shape_;
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

Result<std::shared_ptr<const PreparedShape>> CudaBackend::prepared(const r1cs::Shape& shape) const {
  if (shape_ == nullptr || !shape_->is_of(shape)) {
    BELFRY_TRY(shape_, PreparedShape::create(shape));
  }
  return shape_;
}

DeviceProverOptions CudaBackend::prover_options(std::size_t partitions) const {
  DeviceProverOptions options;
  options.masks = static_cast<unsigned>(
      std::clamp<std::size_t>(partitions, 1, std::size_t{msm::core::kMaxMasks}));
  options.h_copies = options_.h_copies;
  return options;
}

Result<CudaBackend::Fit> CudaBackend::fit(const std::shared_ptr<const PreparedShape>& shape,
                                          std::size_t partitions) const {
  DeviceProverOptions options = prover_options(partitions);
  for (;;) {
    auto arena = gpu::Arena::for_plan(device_.budget_bytes);
    const auto prover = DeviceProver::take(shape, options, device_.info, arena, std::nullopt);
    if (prover) return Fit{options, prover->stages()};
    if (prover.error().code != ErrorCode::kResourceExhausted) return fail(prover.error());
    if (options.masks == 1 && options.h_copies == 1) return fail(does_not_fit(shape));
    // Copies of H only save time; fewer witnesses at once only cost some.
    if (options.h_copies == 1) options.masks = 1;
    options.h_copies = 1;
  }
}

Error CudaBackend::does_not_fit(const std::shared_ptr<const PreparedShape>& shape) const {
  DeviceProverOptions least;
  least.sets_per_pass = 1;
  auto arena = gpu::Arena::unlimited();
  const auto prover = DeviceProver::take(shape, least, device_.info, arena, std::nullopt);
  if (!prover) return prover.error();
  return Error{
      ErrorCode::kResourceExhausted, std::string(kStage),
      "a proof of " + shape->shape.circuit_id() + " needs more device memory than there is"}
      .but(std::to_string(arena.peak_bytes()) + " bytes",
           std::to_string(device_.budget_bytes) + " bytes")
      .with_hint("Raise --vram-budget, free memory of the card, or use --backend cpu");
}

Result<Plan> CudaBackend::plan(const r1cs::Shape& shape, std::size_t partitions,
                               std::uint64_t budget_bytes) const {
  const std::scoped_lock lock(mutex_);
  return gpu::run_stage([&]() -> Result<Plan> {
    BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
    BELFRY_TRY(const auto prepared_shape, prepared(shape));
    BELFRY_TRY(Fit fitting, fit(prepared_shape, partitions));
    constexpr std::uint64_t kStaging = 2 * gpu::StagedUpload::kBufferBytes;
    Plan plan{.partitions = partitions, .stages = std::move(fitting.stages)};
    for (StagePlan& stage : plan.stages) {
      stage.host_bytes = kStaging + prepared_shape->memory_bytes();
    }
    return within_budget(std::move(plan), shape, budget_bytes, kStage);
  });
}

Result<std::vector<PartialSums>> CudaBackend::run(const ProveBatchView& batch,
                                                  const Plan& plan) const {
  BELFRY_CHECK(check_batch(batch, plan, kStage));
  const std::scoped_lock lock(mutex_);
  auto sums = gpu::run_stage([&]() -> Result<std::vector<PartialSums>> {
    BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
    return run_locked(batch);
  });
  // Whatever failed, what is in the memory is not known.
  if (!sums && sums.error().code != ErrorCode::kCancelled) session_.reset();
  return sums;
}

Result<void> CudaBackend::open_session(const ProveBatchView& batch) const {
  BELFRY_TRY(const auto shape, prepared(batch.shape));
  BELFRY_TRY(const Fit fitting, fit(shape, batch.witnesses.size()));
  auto identity = ParametersIdentity::of(batch.parameters);
  const bool is_open = session_ && session_->prover.shape().is_of(batch.shape) &&
                       session_->prover.masks() == fitting.options.masks &&
                       session_->parameters == identity;
  if (is_open) return {};
  session_.reset();
  const trace::Span span(batch.tracer, "groth16.load_parameters");
  const Plan needed{.partitions = batch.witnesses.size(), .stages = fitting.stages};
  BELFRY_CHECK(hold(needed.device_bytes()));
  gpu::Arena arena(memory_->data(), memory_->size_bytes());
  BELFRY_TRY(auto prover, DeviceProver::take(shape, fitting.options, device_.info, arena,
                                             gpu::StreamRef(stream_)));
  BELFRY_CHECK(load_points(batch.parameters, prover.points(), upload_, arena, stream_));
  prover.derive_async(stream_);
  stream_.synchronize();
  session_.emplace(Session{std::move(identity), std::move(prover)});
  return {};
}

Result<std::vector<PartialSums>> CudaBackend::run_locked(const ProveBatchView& batch) const {
  BELFRY_CHECK(open_session(batch));
  const trace::Span span(batch.tracer, "groth16.device_prove");
  BELFRY_TRY(auto sums, session_->prover.prove(batch.witnesses, batch.cancel, stream_));
  for (const StageTime& time : session_->prover.times()) {
    trace::write_log(batch.tracer, "groth16", trace::Level::kDebug, "device stage",
                     {{"stage", time.name}, {"seconds", time.seconds}, {"runs", time.runs}});
  }
  return sums;
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
