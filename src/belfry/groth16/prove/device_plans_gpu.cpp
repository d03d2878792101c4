#include "belfry/groth16/prove/device_plans_gpu.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/gpu/arena.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/device.h"
#include "belfry/groth16/prove/device_prover_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.cuda";

}  // namespace

Result<Plan> DevicePlans::plan(QuotientBasis basis, const r1cs::Shape& shape,
                               std::size_t partitions, std::uint64_t budget_bytes) {
  const std::scoped_lock lock(mutex_);
  return gpu::run_stage([&]() -> Result<Plan> {
    BELFRY_CHECK(gpu::use_device(device_.info.ordinal));
    BELFRY_TRY(const auto in_basis, find_prepared(shape, basis));
    BELFRY_TRY(DeviceFit fitting, find_fit(in_basis, partitions));
    return within_budget(Plan{.partitions = partitions, .stages = std::move(fitting.stages)}, shape,
                         budget_bytes, kStage);
  });
}

Result<DevicePlans::Prepared> DevicePlans::prepared(const r1cs::Shape& shape, QuotientBasis basis) {
  const std::scoped_lock lock(mutex_);
  return find_prepared(shape, basis);
}

Result<DeviceFit> DevicePlans::fit(const Prepared& shape, std::size_t partitions) {
  const std::scoped_lock lock(mutex_);
  return find_fit(shape, partitions);
}

void DevicePlans::set_loaded(ParametersIdentity parameters, Prepared shape) {
  const std::scoped_lock lock(mutex_);
  loaded_ = Loaded{std::move(parameters), std::move(shape)};
}

void DevicePlans::clear_loaded() {
  const std::scoped_lock lock(mutex_);
  loaded_.reset();
}

std::optional<QuotientBasis> DevicePlans::loaded_basis(const ParametersIdentity& parameters,
                                                       const r1cs::Shape& shape) const {
  const std::scoped_lock lock(mutex_);
  if (!loaded_ || loaded_->parameters != parameters || !loaded_->shape->is_of(shape)) return {};
  return loaded_->shape->basis;
}

Result<DevicePlans::Prepared> DevicePlans::find_prepared(const r1cs::Shape& shape,
                                                         QuotientBasis basis) {
  // That which proofs run with is kept, whatever others plan meanwhile.
  if (loaded_ && loaded_->shape->basis == basis && loaded_->shape->is_of(shape)) {
    return loaded_->shape;
  }
  Prepared& place = shapes_[static_cast<std::size_t>(basis)];
  if (place == nullptr || !place->is_of(shape)) {
    fits_[static_cast<std::size_t>(basis)].reset();
    BELFRY_TRY(place, PreparedShape::create(shape, basis));
  }
  return place;
}

Result<DeviceFit> DevicePlans::find_fit(const Prepared& shape, std::size_t partitions) {
  std::optional<KnownFit>& known = fits_[static_cast<std::size_t>(shape->basis)];
  if (known && known->shape == shape && known->partitions == partitions) return known->fit;
  BELFRY_TRY(DeviceFit found, ask_device(shape, partitions));
  known = KnownFit{shape, partitions, found};
  return found;
}

Result<DeviceFit> DevicePlans::ask_device(const Prepared& shape, std::size_t partitions) const {
  BELFRY_TRY(const ResidencyQuestion question, residency_question(*shape, partitions, h_copies_));
  auto found = fit_on_device(shape, question, device_);
  if (found || found.error().code != ErrorCode::kResourceExhausted) return found;
  return fail(does_not_fit(shape, question));
}

Error DevicePlans::does_not_fit(const Prepared& shape, const ResidencyQuestion& question) const {
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

}  // namespace belfry::groth16
