#include "belfry/groth16/prove/device_trial.h"

#include <optional>
#include <utility>

#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/groth16/keygen/device_keygen_gpu.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/device_floor.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

class CudaTrial final : public DeviceTrial {
 public:
  CudaTrial(CudaDevice device, gpu::DeviceMemory memory, const WorkView& work)
      : device_(std::move(device)),
        memory_(std::move(memory)),
        work_(work),
        upload_(work.executor),
        arena_(memory_.data(), memory_.size_bytes()) {}

  Result<void> set_up(const TrialOptions& options, const r1cs::Shape& shape,
                      const TestTrapdoor& trapdoor);

  [[nodiscard]] const VerifyingKey& key() const noexcept override { return key_; }
  [[nodiscard]] std::string device() const override { return device_.describe(); }
  [[nodiscard]] const Plan& plan() const noexcept override { return plan_; }
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept override { return arena_.peak_bytes(); }
  [[nodiscard]] double setup_seconds() const noexcept override { return setup_seconds_; }

  [[nodiscard]] Result<PendingProofs> prove(
      std::span<const r1cs::PackedWitness> witnesses) override {
    return gpu::run_stage([&]() -> Result<PendingProofs> {
      BELFRY_TRY(auto sums, prover_->prove(witnesses, work_.cancel, stream_));
      partitions_ = static_cast<unsigned>(witnesses.size());
      return PendingProofs::create(key_, std::move(sums));
    });
  }
  [[nodiscard]] std::vector<TrialStage> stages() const override {
    std::vector<TrialStage> out;
    for (const StageTime& time : prover_->times()) {
      out.push_back({time.name, time.seconds, time.runs,
                     device_floor_seconds(time.name, prover_->shape(), partitions_,
                                          device_.info.multiprocessors)});
    }
    return out;
  }

 private:
  CudaDevice device_;
  gpu::DeviceMemory memory_;
  WorkView work_;
  gpu::Stream stream_;
  gpu::StagedUpload upload_;
  gpu::Arena arena_;
  std::unique_ptr<DeviceProver> prover_;
  VerifyingKey key_;
  Plan plan_;
  double setup_seconds_ = 0;
  unsigned partitions_ = 0;
};

Result<void> CudaTrial::set_up(const TrialOptions& options, const r1cs::Shape& shape,
                               const TestTrapdoor& trapdoor) {
  trace::Span span(work_.tracer, "groth16.device_trial");
  BELFRY_TRY(const auto prepared, PreparedShape::create(shape, options.basis));
  const DeviceProverOptions prover_options{.masks = options.partitions,
                                           .h_copies = options.cuda.h_copies};
  auto planned = gpu::Arena::for_plan(memory_.size_bytes());
  const auto plan =
      DeviceProver::take(prepared, prover_options, device_.info, planned, std::nullopt);
  if (!plan) return fail(plan.error());
  plan_ = {options.partitions, plan->stages()};
  auto prover =
      DeviceProver::take(prepared, prover_options, device_.info, arena_, gpu::StreamRef(stream_));
  if (!prover) return fail(std::move(prover).error());
  prover_ = std::make_unique<DeviceProver>(*std::move(prover));
  BELFRY_TRY(key_, make_device_points(*prepared, trapdoor, prover_->points(),
                                      {device_.info, arena_, upload_, stream_}, work_));
  prover_->derive_async(stream_);
  stream_.synchronize();
  setup_seconds_ = span.stop();
  return {};
}

}  // namespace

Result<std::unique_ptr<DeviceTrial>> make_device_trial(const TrialOptions& options,
                                                       const r1cs::Shape& shape,
                                                       const TestTrapdoor& trapdoor,
                                                       const WorkView& work) {
  BELFRY_TRY(CudaDevice device, open_cuda_device(options.cuda));
  BELFRY_TRY(gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(device.budget_bytes));
  return gpu::run_stage([&]() -> Result<std::unique_ptr<DeviceTrial>> {
    auto trial = std::make_unique<CudaTrial>(std::move(device), std::move(memory), work);
    BELFRY_CHECK(trial->set_up(options, shape, trapdoor));
    return trial;
  });
}

}  // namespace belfry::groth16
