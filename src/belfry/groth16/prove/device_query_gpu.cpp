#include "belfry/groth16/prove/device_query_gpu.h"

#include "belfry/groth16/params/decode_gpu.h"
#include "belfry/groth16/prove/query_masks_gpu.h"

namespace belfry::groth16 {

Result<DeviceTail> DeviceTail::take(const QueryTail& tail, gpu::Arena& arena) {
  DeviceTail out;
  out.covers_all = tail.covers_all;
  BELFRY_TRY(out.points, arena.take<std::uint32_t>(tail.points.size(), "points of elements"));
  BELFRY_TRY(out.values, arena.take<std::uint32_t>(tail.values.size(), "places of elements"));
  return out;
}

void DeviceTail::upload_async(const QueryTail& tail, gpu::StreamRef stream) const {
  gpu::upload_async<std::uint32_t>(tail.points, points, stream);
  gpu::upload_async<std::uint32_t>(tail.values, values, stream);
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_points(std::uint64_t points, const DeviceTail& tail,
                                             gpu::Arena& arena) {
  tail_ = tail;
  BELFRY_TRY(points_, arena.take<Affine>(points, "points of a query"));
  if (tail.covers_all) {
    tail_points_ = points_;
    return {};
  }
  BELFRY_TRY(tail_points_, arena.take<Affine>(tail.points.size(), "points of elements"));
  return {};
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_bit_sums(unsigned masks, const gpu::DeviceInfo& device,
                                               gpu::Arena& arena, ArenaUse use) {
  using Sums = msm::DeviceSelectedSums<Curve>;
  const auto make = use == ArenaUse::kPlan ? &Sums::take : &Sums::create;
  auto sums = make(points_.size(), masks, device, arena);
  if (!sums) return fail(std::move(sums).error());
  bit_sums_ = std::make_unique<Sums>(*std::move(sums));
  return {};
}

template <class Curve>
Result<void> DeviceQuery<Curve>::take_tail_sum(unsigned sets_per_pass,
                                               const gpu::DeviceInfo& device, gpu::Arena& arena,
                                               ArenaUse use) {
  using Msm = msm::DeviceMsm<Curve>;
  BELFRY_TRY(scalars_, arena.take<Fr>(tail_points_.size(), "elements"));
  msm::DeviceMsmOptions options;
  options.sets_per_pass = sets_per_pass;
  BELFRY_TRY(const auto plan,
             msm::plan_device_msm<Curve>(tail_points_.size(), device,
                                         arena.size_bytes() - arena.used_bytes(), options));
  const auto make = use == ArenaUse::kPlan ? &Msm::take : &Msm::create;
  auto sum = make(plan, arena);
  if (!sum) return fail(std::move(sum).error());
  tail_sum_ = std::make_unique<Msm>(*std::move(sum));
  return {};
}

template <class Curve>
void DeviceQuery<Curve>::gather_tail_async(gpu::StreamRef stream) const {
  if (tail_.covers_all) return;
  gather_points_async<Curve>(points_, tail_.points, tail_points_, stream);
}

template <class Curve>
void DeviceQuery<Curve>::sum_bits_async(gpu::DeviceSpan<const std::uint64_t> masks,
                                        gpu::StreamRef stream) {
  bit_sums_->sum_async(points_, masks, stream);
}

template <class Curve>
void DeviceQuery<Curve>::sum_tail_async(const DeviceValues& values, gpu::StreamRef stream) {
  gather_values_async(values.inputs, values.fields, tail_.values, scalars_, stream);
  tail_sum_->multiply_async(tail_points_, scalars_, stream);
}

template class DeviceQuery<curve::G1>;
template class DeviceQuery<curve::G2>;

}  // namespace belfry::groth16
