#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "belfry/msm/bit_sums.cuh"
#include "belfry/msm/bucket_sums.cuh"
#include "belfry/msm/digits_gpu.h"
#include "belfry/msm/msm_gpu.h"

// DeviceMsm for any curve; instantiated by msm_g1.cu and msm_g2.cu.
namespace belfry::msm {
namespace device {

/// Block (kind, set): see ReductionShape::bit_sums for the kinds and reduction_steps for the
/// places.
template <class Curve>
__global__ void __launch_bounds__(kBitSumThreads)
    bit_sums_kernel(ReductionShape shape, const curve::Affine<Curve>* sums,
                    const curve::Affine<Curve>* rows, curve::Xyzz<Curve>* out) {
  const unsigned kind = blockIdx.x;
  const std::size_t set = blockIdx.y;
  const unsigned log_buckets = shape.low_bits + shape.high_bits;
  auto* const own = out + set * shape.bit_sums() + kind;
  if (kind <= shape.low_bits) {
    const std::uint32_t mask = kind < shape.low_bits ? 1u << kind : 0;
    sum_by_bit<Curve>(sums + (set << log_buckets), 1, 1u << shape.low_bits, mask, own);
  } else {
    const std::uint32_t mask = 1u << (kind - shape.low_bits - 1);
    sum_by_bit<Curve>(rows + (set << (log_buckets - 1)), 1u << (shape.low_bits - 1),
                      1u << shape.high_bits, mask, own);
  }
}

}  // namespace device

namespace planning {

inline constexpr unsigned kMinWindowBits = 4;
inline constexpr unsigned kMaxWindowBits = 24;
/// More entries than this a pass bring no speed.
inline constexpr std::uint64_t kEntriesPerPass = std::uint64_t{1} << 27;

/// The top window may need a bucket more than the others have if the windows fill the scalar.
inline bool is_window(unsigned bits) {
  return bits >= kMinWindowBits && bits <= kMaxWindowBits &&
         core::DigitPlan::kScalarBits % bits != 0;
}

/// Additions: one a digit and two a bucket.
inline unsigned cheapest_window(std::uint64_t points, unsigned copies) {
  unsigned best = kMinWindowBits;
  auto best_cost = std::numeric_limits<std::uint64_t>::max();
  for (unsigned bits = kMinWindowBits; bits <= kMaxWindowBits; ++bits) {
    if (!is_window(bits)) continue;
    const std::uint64_t windows = core::DigitPlan::of(bits).windows;
    const std::uint64_t sets = (windows + copies - 1) / copies;
    const std::uint64_t cost = windows * points + (sets << bits);
    if (cost < best_cost) best = bits;
    best_cost = std::min(cost, best_cost);
  }
  return best;
}

inline core::DigitPass pass_of(const DeviceMsmPlan& plan, unsigned first_set) {
  return {plan.digits, plan.sets, first_set, std::min(plan.sets_per_pass, plan.sets - first_set),
          plan.points};
}

inline BucketLimits limits_of(const DeviceMsmPlan& plan) {
  const core::DigitPass pass = pass_of(plan, 0);  // no other pass has more windows
  return {std::uint64_t{pass.windows()} * plan.points, pass.buckets(),
          std::uint64_t{plan.copies} * plan.points};
}

}  // namespace planning

template <class Curve>
DeviceMsm<Curve>::DeviceMsm(const DeviceMsmPlan& plan, const BucketSums<Curve>& buckets)
    : plan_(plan),
      shape_(ReductionShape::of(plan.digits.window_bits - 1)),
      reduction_(reduction_steps(plan.digits.window_bits - 1, plan.sets)),
      buckets_(buckets) {}

template <class Curve>
Result<DeviceMsm<Curve>> DeviceMsm<Curve>::take(const DeviceMsmPlan& plan, gpu::Arena& arena) {
  BELFRY_TRY(const auto buckets,
             BucketSums<Curve>::create(planning::limits_of(plan), plan.multiprocessors, arena));
  DeviceMsm out(plan, buckets);
  const std::uint64_t sums = std::uint64_t{plan.sets} << (plan.digits.window_bits - 1);
  BELFRY_TRY(out.limbs_, arena.take<std::uint64_t>(Fr::kLimbs * std::uint64_t{plan.points},
                                                   "prepared scalars"));
  BELFRY_TRY(out.sums_, arena.take<Affine>(sums, "bucket sums"));
  BELFRY_TRY(out.rows_, arena.take<Affine>(sums / 2, "row sums"));
  BELFRY_TRY(out.bit_sums_,
             arena.take<Xyzz>(std::uint64_t{plan.sets} * out.shape_.bit_sums(), "bit sums"));
  return out;
}

template <class Curve>
Result<DeviceMsm<Curve>> DeviceMsm<Curve>::create(const DeviceMsmPlan& plan, gpu::Arena& arena) {
  BELFRY_TRY(auto out, take(plan, arena));
  out.result_.emplace(out.bit_sums_.size());
  return out;
}

template <class Curve>
Result<DeviceMsmPlan> plan_device_msm(std::uint64_t points, const gpu::DeviceInfo& device,
                                      std::uint64_t budget_bytes, const DeviceMsmOptions& options) {
  constexpr std::uint64_t kMaxIndices = core::kNegative - 1;
  if (options.copies == 0 || points > kMaxIndices / options.copies) {
    return fail(invalid("msm.plan", "points times copies must be 1 to 2^31 - 2 together"));
  }
  DeviceMsmPlan plan;
  plan.points = static_cast<std::uint32_t>(points);
  plan.multiprocessors = device.multiprocessors;
  const unsigned bits = options.window_bits != 0
                            ? options.window_bits
                            : planning::cheapest_window(points, options.copies);
  if (!planning::is_window(bits)) {
    return fail(invalid("msm.plan", "window of " + std::to_string(bits) +
                                        " bits; 4 to 24 and no divisor of 255 are possible"));
  }
  plan.digits = core::DigitPlan::of(bits);
  if (options.copies > plan.digits.windows) {
    return fail(invalid("msm.plan", "more copies than windows"));
  }
  plan.copies = options.copies;
  plan.sets = (plan.digits.windows + plan.copies - 1) / plan.copies;
  const std::uint64_t set_entries = std::max<std::uint64_t>(points * plan.copies, 1);
  const auto worthwhile = static_cast<unsigned>(
      std::clamp<std::uint64_t>(planning::kEntriesPerPass / set_entries, 1, plan.sets));
  const unsigned passes = (plan.sets + worthwhile - 1) / worthwhile;
  plan.sets_per_pass = options.sets_per_pass != 0 ? std::min(options.sets_per_pass, plan.sets)
                                                  : (plan.sets + passes - 1) / passes;
  for (;; --plan.sets_per_pass) {
    auto arena = gpu::Arena::for_plan(budget_bytes);
    const auto planned = DeviceMsm<Curve>::take(plan, arena);
    plan.workspace_bytes = arena.peak_bytes();
    if (planned) return plan;
    if (plan.sets_per_pass == 1) return fail(planned.error());
  }
}

template <class Curve>
void DeviceMsm<Curve>::multiply_async(gpu::DeviceSpan<const Affine> points,
                                      gpu::DeviceSpan<const Fr> scalars, gpu::StreamRef stream) {
  if (plan_.points == 0) return;
  prepare_async(scalars, stream);
  for (unsigned set = 0; set < plan_.sets; set += plan_.sets_per_pass) {
    entries_async(set, stream);
    lists_async(set, stream);
    accumulate_async(set, points, stream);
  }
  reduce_async(stream);
}

template <class Curve>
void DeviceMsm<Curve>::prepare_async(gpu::DeviceSpan<const Fr> scalars, gpu::StreamRef stream) {
  prepare_scalars_async(scalars, plan_.digits, limbs_.data(), stream);
}

template <class Curve>
void DeviceMsm<Curve>::entries_async(unsigned first_set, gpu::StreamRef stream) {
  const core::DigitPass pass = planning::pass_of(plan_, first_set);
  make_entries_async(pass, limbs_.data(), buckets_.lists().keys(), buckets_.lists().values(),
                     stream);
}

template <class Curve>
void DeviceMsm<Curve>::lists_async(unsigned first_set, gpu::StreamRef stream) {
  const core::DigitPass pass = planning::pass_of(plan_, first_set);
  buckets_.lists().build_async(std::uint64_t{pass.windows()} * plan_.points, pass.buckets(),
                               stream);
}

template <class Curve>
void DeviceMsm<Curve>::accumulate_async(unsigned first_set, gpu::DeviceSpan<const Affine> points,
                                        gpu::StreamRef stream) {
  const core::DigitPass pass = planning::pass_of(plan_, first_set);
  const std::size_t first = std::size_t{first_set} << pass.log_buckets();
  buckets_.accumulate_async(points, sums_.subspan(first, pass.buckets()), stream);
}

template <class Curve>
void DeviceMsm<Curve>::reduce_async(gpu::StreamRef stream) {
  for (const ReductionStep& step : reduction_) {
    buckets_.adder().add_regular_async(step.pairs, step.reads_rows ? rows_.data() : sums_.data(),
                                       step.count, step.writes_rows ? rows_.data() : sums_.data(),
                                       stream);
  }
  device::bit_sums_kernel<Curve>
      <<<dim3(shape_.bit_sums(), plan_.sets), device::kBitSumThreads, 0, stream.handle()>>>(
          shape_, sums_.data(), rows_.data(), bit_sums_.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.bit_sums");
  gpu::download_async<Xyzz>(bit_sums_, result_->span(), stream);
}

template <class Curve>
typename Curve::Jacobian DeviceMsm<Curve>::result() const {
  if (plan_.points == 0) return Curve::Jacobian::infinity();
  return combine_bit_sums<Curve>(result_->span(), plan_.digits.window_bits, shape_);
}

template <class Curve>
void DeviceMsm<Curve>::precompute_copies_async(gpu::DeviceSpan<Affine> points,
                                               gpu::StreamRef stream) const {
  if (plan_.points == 0) return;
  for (std::size_t copy = 1; copy < plan_.copies; ++copy) {
    Affine* const out = points.data() + copy * plan_.points;
    const Affine* in = out - plan_.points;
    for (unsigned i = 0; i < plan_.digits.window_bits * plan_.sets; ++i) {
      // A point and itself, in place after the first time.
      buckets_.adder().add_regular_async({}, in, plan_.points, out, stream);
      in = out;
    }
  }
}

}  // namespace belfry::msm
