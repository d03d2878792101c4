#include "belfry/groth16/prove/device_trial.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/base/large_array.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/drain.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/free_bytes.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/keygen/device_keygen_gpu.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/device_fit_gpu.h"
#include "belfry/groth16/prove/device_floor.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.device_trial";

/// Points that a device made, in memory of the host.
class HostStore {
 public:
  /// Room for all of them; who touches it first has it fetched.
  Result<void> reserve(const QueryCounts& counts) {
    BELFRY_CHECK(reserve(Section::kH, counts.h * sizeof(curve::G1Affine)));
    BELFRY_CHECK(reserve(Section::kL, counts.l * sizeof(curve::G1Affine)));
    BELFRY_CHECK(reserve(Section::kA, counts.a * sizeof(curve::G1Affine)));
    BELFRY_CHECK(reserve(Section::kBG1, counts.b * sizeof(curve::G1Affine)));
    return reserve(Section::kBG2, counts.b * sizeof(curve::G2Affine));
  }
  [[nodiscard]] HostPlaces places() {
    return {place<curve::G1Affine>(Section::kH), place<curve::G1Affine>(Section::kL),
            place<curve::G1Affine>(Section::kA), place<curve::G1Affine>(Section::kBG1),
            place<curve::G2Affine>(Section::kBG2)};
  }
  Result<void> keep_all(const DevicePoints& points, gpu::StreamRef stream) {
    BELFRY_CHECK(reserve({.h = points.h.size(),
                          .l = points.l.size(),
                          .a = points.a.size(),
                          .b = points.b_g1.size()}));
    const HostPlaces to = places();
    gpu::download_async<curve::G1Affine>(points.h, to.h, stream);
    gpu::download_async<curve::G1Affine>(points.l, to.l, stream);
    gpu::download_async<curve::G1Affine>(points.a, to.a, stream);
    gpu::download_async<curve::G1Affine>(points.b_g1, to.b_g1, stream);
    gpu::download_async<curve::G2Affine>(points.b_g2, to.b_g2, stream);
    gpu::wait_for(stream);
    return {};
  }
  [[nodiscard]] HostPoints points() const {
    HostPoints out;
    for (std::size_t i = 0; i < kSections; ++i) out.sections[i] = sections_[i].span();
    return out;
  }

 private:
  Result<void> reserve(Section section, std::uint64_t bytes) {
    BELFRY_TRY(sections_[static_cast<std::size_t>(section)],
               LargeArray<std::uint8_t>::create(bytes));
    return {};
  }
  template <class Affine>
  [[nodiscard]] std::span<Affine> place(Section section) {
    LargeArray<std::uint8_t>& bytes = sections_[static_cast<std::size_t>(section)];
    return {reinterpret_cast<Affine*>(bytes.data()), bytes.size() / sizeof(Affine)};
  }

  std::array<LargeArray<std::uint8_t>, kSections> sections_;
};

Result<DeviceFit> fit(const std::shared_ptr<const PreparedShape>& shape, const TrialOptions& wish,
                      const CudaDevice& device) {
  BELFRY_TRY(const ResidencyQuestion question,
             residency_question(*shape, wish.partitions, wish.cuda.h_copies, wish.lanes));
  return fit_on_device(shape, question, device);
}

/// What a prover takes of the device, or its points while they are made in their place, which needs
/// the room of stages or a little more.
Result<std::uint64_t> bytes_in_place(const std::shared_ptr<const PreparedShape>& shape,
                                     const DeviceProverOptions& options, const CudaDevice& device) {
  auto arena = gpu::Arena::unlimited();
  BELFRY_CHECK(DeviceProver::take(shape, options, device.info, arena, std::nullopt));
  BELFRY_CHECK(take_device_keygen(device.info, arena));
  return std::min(arena.peak_bytes(), device.budget_bytes);
}

class CudaTrial final : public DeviceTrial {
 public:
  CudaTrial(CudaDevice device, const WorkView& work)
      : device_(std::move(device)),
        work_(work),
        upload_(work.executor),
        lane_upload_(work.executor) {}

  Result<void> set_up(const TrialOptions& options, const r1cs::Shape& shape,
                      const TestTrapdoor& trapdoor);

  [[nodiscard]] const VerifyingKey& key() const noexcept override { return key_; }
  [[nodiscard]] std::string device() const override { return device_.describe(); }
  [[nodiscard]] const Plan& plan() const noexcept override { return plan_; }
  [[nodiscard]] const DeviceProverOptions& options() const noexcept override {
    return prover_->options();
  }
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept override { return peak_bytes_; }
  [[nodiscard]] Result<std::uint64_t> device_used_bytes() override {
    return gpu::run_stage([&]() -> Result<std::uint64_t> {
      BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
      sample_used();
      return used_bytes_;
    });
  }
  [[nodiscard]] double setup_seconds() const noexcept override { return setup_seconds_; }

  [[nodiscard]] Result<PendingProofs> prove(
      std::span<const r1cs::PackedWitness> witnesses) override {
    return run([&]() -> Result<PendingProofs> {
      BELFRY_TRY(auto sums,
                 prover_->prove(witnesses, {store_.points(), upload_}, work_.cancel, stream_));
      return pending(std::move(sums));
    });
  }
  [[nodiscard]] Result<void> upload(unsigned lane,
                                    std::span<const r1cs::PackedWitness> witnesses) override {
    return run([&]() -> Result<void> {
      BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
      return prover_->upload(lane, witnesses, lane_upload_);
    });
  }
  [[nodiscard]] Result<PendingProofs> prove_lane(unsigned lane) override {
    return run([&]() -> Result<PendingProofs> {
      BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
      BELFRY_TRY(auto sums,
                 prover_->prove_lane(lane, {store_.points(), upload_}, work_.cancel, stream_));
      return pending(std::move(sums));
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
  [[nodiscard]] Result<void> save(const std::filesystem::path& path) override;

 private:
  /// A step after which, if it failed, nothing is on its way to the memory any more.
  template <class Step>
  [[nodiscard]] auto run(Step&& step) -> decltype(step()) {
    return gpu::run_or_drain(std::forward<Step>(step), [this] {
      gpu::drain(stream_);
      if (prover_ != nullptr) prover_->drain();
    });
  }
  void sample_used() {
    const std::uint64_t now = gpu::free_device_bytes();
    used_bytes_ =
        std::max(used_bytes_, device_.info.free_bytes - std::min(device_.info.free_bytes, now));
  }
  Result<void> make_points(const std::shared_ptr<const PreparedShape>& shape,
                           const TestTrapdoor& trapdoor);
  Result<PendingProofs> pending(std::vector<PartialSums> sums) {
    partitions_ = static_cast<unsigned>(sums.size());
    return PendingProofs::create(key_, std::move(sums));
  }
  Result<void> make_in_place(const std::shared_ptr<const PreparedShape>& shape,
                             const TestTrapdoor& trapdoor);
  Result<void> make_in_host(const std::shared_ptr<const PreparedShape>& shape,
                            const TestTrapdoor& trapdoor);
  Result<void> take_prover(const std::shared_ptr<const PreparedShape>& shape, gpu::Arena& arena);

  CudaDevice device_;
  WorkView work_;
  gpu::Stream stream_;
  gpu::StagedUpload upload_;
  gpu::StagedUpload lane_upload_;  // of whoever brings witnesses while the other one brings tiles
  std::unique_ptr<gpu::DeviceMemory> memory_;
  DeviceProverOptions options_;
  std::unique_ptr<DeviceProver> prover_;
  HostStore store_;  // where not all points stay on the device
  VerifyingKey key_;
  Plan plan_;
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t used_bytes_ = 0;
  double setup_seconds_ = 0;
  unsigned partitions_ = 0;
};

Result<void> CudaTrial::set_up(const TrialOptions& options, const r1cs::Shape& shape,
                               const TestTrapdoor& trapdoor) {
  trace::Span span(work_.tracer, kStage);
  BELFRY_TRY(const auto prepared, PreparedShape::create(shape, options.basis));
  BELFRY_TRY(DeviceFit fitting, fit(prepared, options, device_));
  options_ = fitting.options;
  plan_ = {.partitions = options.partitions, .stages = std::move(fitting.stages)};
  BELFRY_CHECK(run([&] { return make_points(prepared, trapdoor); }));
  setup_seconds_ = span.stop();
  return {};
}

Result<void> CudaTrial::make_points(const std::shared_ptr<const PreparedShape>& shape,
                                    const TestTrapdoor& trapdoor) {
  if (options_.residency == Residency::kAll) {
    BELFRY_CHECK(make_in_place(shape, trapdoor));
  } else {
    BELFRY_CHECK(make_in_host(shape, trapdoor));
  }
  sample_used();
  return {};
}

Result<void> CudaTrial::take_prover(const std::shared_ptr<const PreparedShape>& shape,
                                    gpu::Arena& arena) {
  auto prover = DeviceProver::take(shape, options_, device_.info, arena, gpu::StreamRef(stream_));
  if (!prover) return fail(std::move(prover).error());
  prover_ = std::make_unique<DeviceProver>(*std::move(prover));
  peak_bytes_ = arena.peak_bytes();
  sample_used();
  return {};
}

Result<void> CudaTrial::make_in_place(const std::shared_ptr<const PreparedShape>& shape,
                                      const TestTrapdoor& trapdoor) {
  // No more, so that what the driver says can be compared with the plan.
  BELFRY_TRY(const std::uint64_t bytes, bytes_in_place(shape, options_, device_));
  BELFRY_TRY(gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(bytes));
  memory_ = std::make_unique<gpu::DeviceMemory>(std::move(memory));
  gpu::Arena arena(memory_->data(), memory_->size_bytes());
  BELFRY_CHECK(take_prover(shape, arena));
  BELFRY_TRY(key_, make_device_points(*shape, trapdoor, prover_->points(),
                                      {device_.info, arena, upload_, stream_}, work_));
  prover_->derive_async(stream_);
  stream_.synchronize();
  return {};
}

/// The card never holds all the points, so that a trial runs on any card that its proofs fit. What
/// making them takes there may be more than the budget of proofs.
Result<void> CudaTrial::make_in_host(const std::shared_ptr<const PreparedShape>& shape,
                                     const TestTrapdoor& trapdoor) {
  BELFRY_CHECK(store_.reserve(shape->points));
  {
    auto planned = gpu::Arena::unlimited();
    BELFRY_CHECK(take_device_keygen(device_.info, planned, MadeIn::kHost));
    BELFRY_TRY(const gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(planned.peak_bytes()));
    gpu::Arena arena(memory.data(), memory.size_bytes());
    BELFRY_TRY(key_, make_host_points(*shape, trapdoor, store_.places(),
                                      {device_.info, arena, upload_, stream_}, work_));
  }
  BELFRY_TRY(gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(plan_.device_bytes()));
  memory_ = std::make_unique<gpu::DeviceMemory>(std::move(memory));
  gpu::Arena arena(memory_->data(), memory_->size_bytes());
  BELFRY_CHECK(take_prover(shape, arena));
  return prover_->load({store_.points(), upload_}, work_, stream_);
}

Result<void> CudaTrial::save(const std::filesystem::path& path) {
  return run([&]() -> Result<void> {
    HostStore copy;
    const bool here = options_.residency == Residency::kAll;
    if (here) BELFRY_CHECK(copy.keep_all(prover_->points(), stream_));
    const HostPoints points = here ? copy.points() : store_.points();
    BELFRY_TRY(DerivedWriter writer,
               DerivedWriter::create(path, {}, prover_->shape().points, work_.executor));
    for (const ByteSpan section : points.sections) BELFRY_CHECK(writer.append(section));
    return writer.commit();
  });
}

Result<LoadTimes> load(const DerivedParameters& derived, const CudaDevice& device,
                       const std::shared_ptr<const PreparedShape>& shape, const DeviceFit& fitting,
                       const WorkView& work) {
  LoadTimes out{.bytes = derived.bytes(), .residency = fitting.options.residency};
  trace::Span check(work.tracer, "groth16.check_derived_file");
  BELFRY_CHECK(derived.check_contents(work));
  out.check_seconds = check.stop();
  trace::Span allocate(work.tracer, "groth16.allocate");
  const Plan plan{.stages = fitting.stages};
  BELFRY_TRY(const gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(plan.device_bytes()));
  gpu::Arena arena(memory.data(), memory.size_bytes());
  const gpu::Stream stream;
  gpu::StagedUpload upload(work.executor);
  BELFRY_TRY(DeviceProver prover, DeviceProver::take(shape, fitting.options, device.info, arena,
                                                     gpu::StreamRef(stream)));
  stream.synchronize();
  out.take_seconds = allocate.stop();
  trace::Span span(work.tracer, "groth16.load_points");
  BELFRY_CHECK(prover.load({derived.points(), upload}, work, stream));
  out.load_seconds = span.stop();
  return out;
}

}  // namespace

Result<std::unique_ptr<DeviceTrial>> make_device_trial(const TrialOptions& options,
                                                       const r1cs::Shape& shape,
                                                       const TestTrapdoor& trapdoor,
                                                       const WorkView& work) {
  BELFRY_TRY(CudaDevice device, open_cuda_device(options.cuda));
  return gpu::run_stage([&]() -> Result<std::unique_ptr<DeviceTrial>> {
    auto trial = std::make_unique<CudaTrial>(std::move(device), work);
    BELFRY_CHECK(trial->set_up(options, shape, trapdoor));
    return trial;
  });
}

Result<LoadTimes> time_derived_load(const std::filesystem::path& path, const r1cs::Shape& shape,
                                    const TrialOptions& options, const WorkView& work) {
  if (options.basis != QuotientBasis::kDomain) {
    return fail(ErrorCode::kInvalidUsage, std::string(kStage),
                "derived parameters are points of the domain");
  }
  BELFRY_TRY(const CudaDevice device, open_cuda_device(options.cuda));
  return gpu::run_stage([&]() -> Result<LoadTimes> {
    BELFRY_TRY(const auto prepared, PreparedShape::create(shape, options.basis));
    BELFRY_TRY(const DeviceFit fitting, fit(prepared, options, device));
    BELFRY_TRY(const DerivedParameters derived, DerivedParameters::open(path));
    return load(derived, device, prepared, fitting, work);
  });
}

}  // namespace belfry::groth16
