#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/bucket_reduction.h"
#include "belfry/msm/bucket_sums_gpu.h"
#include "belfry/msm/digits_core.h"

namespace belfry::msm {

/// What a caller of plan_device_msm may choose. The defaults are right outside tests and
/// benchmarks.
struct DeviceMsmOptions {
  unsigned window_bits = 0;    ///< 4 to 24, no divisor of 255; 0 takes the cheapest
  unsigned copies = 1;         ///< of the points in memory, see DeviceMsm
  unsigned sets_per_pass = 0;  ///< 0 takes as many as pay and fit
};

/// How one sum is computed and what it needs: the same code plans and runs.
struct DeviceMsmPlan {
  std::uint32_t points = 0;
  core::DigitPlan digits;
  unsigned copies = 1;
  unsigned sets = 0;           ///< bucket sets: ceil(windows / copies)
  unsigned sets_per_pass = 0;  ///< sorted and summed together
  unsigned multiprocessors = 0;
  std::uint64_t workspace_bytes = 0;  ///< exact: what DeviceMsm takes from an arena
};

/// The plan for a sum of `points` points within `budget_bytes` of workspace (points and scalars
/// apart).
///
/// @return kInvalidInput for a window or copies out of range, or points · copies beyond 2^31 - 2;
///         kResourceExhausted, with needed and allowed bytes, if even one set a pass does not fit
///
/// Asks the current device for the scratch of its sort: throws gpu::CudaError. `Curve` is curve::G1
/// or curve::G2 in everything here.
template <class Curve>
[[nodiscard]] Result<DeviceMsmPlan> plan_device_msm(std::uint64_t points,
                                                    const gpu::DeviceInfo& device,
                                                    std::uint64_t budget_bytes,
                                                    const DeviceMsmOptions& options = {});

/// Σ scalars[i]·P_i on the device: signed digits, sort, batched affine additions in trees, weighted
/// sums of buckets as trees, a few hundred sums to the host. Right for any points of order r or
/// not, repeated, opposite or infinite, and any scalars.
///
/// Copies: with `copies` = K, copy k of the points is 2^(window_bits·sets·k) times the points, one
/// copy after the other (precompute_copies_async). They cut the bucket sets to 1/K.
///
/// Source: Pippenger; perf notes docs/perf/gpu_msm.md. One object works on one stream at a time.
template <class Curve>
class DeviceMsm {
 public:
  using Affine = typename Curve::Affine;
  using Xyzz = typename Curve::Xyzz;

  /// Takes plan.workspace_bytes from `arena` (kResourceExhausted if it has less) and pinned memory
  /// for the result. At start-up, or before a stage.
  [[nodiscard]] static Result<DeviceMsm> create(const DeviceMsmPlan& plan, gpu::Arena& arena);
  /// The same without the pinned memory: for planning alone, on an arena without memory.
  [[nodiscard]] static Result<DeviceMsm> take(const DeviceMsmPlan& plan, gpu::Arena& arena);

  /// Queues the sum; allocates nothing, never waits. Throws gpu::CudaError.
  ///
  /// @param points  plan.points · plan.copies
  /// @param scalars plan.points, Montgomery; not changed
  void multiply_async(gpu::DeviceSpan<const Affine> points, gpu::DeviceSpan<const Fr> scalars,
                      gpu::StreamRef stream);
  /// The sum, when the stream has passed. About 300 doublings on the calling thread.
  [[nodiscard]] typename Curve::Jacobian result() const;

  // The parts of multiply_async, for measuring: scalars made ready; for every sets_per_pass-th set
  // its pass of three; reduction and download.
  void prepare_async(gpu::DeviceSpan<const Fr> scalars, gpu::StreamRef stream);
  void entries_async(unsigned first_set, gpu::StreamRef stream);
  void lists_async(unsigned first_set, gpu::StreamRef stream);
  void accumulate_async(unsigned first_set, gpu::DeviceSpan<const Affine> points,
                        gpu::StreamRef stream);
  void reduce_async(gpu::StreamRef stream);

  [[nodiscard]] const DeviceMsmPlan& plan() const noexcept { return plan_; }
  [[nodiscard]] const BucketSums<Curve>& buckets() const noexcept { return buckets_; }

  /// Writes copies 1 ... K-1 behind the plan.points points at the start of `points`: window_bits ·
  /// sets batched doublings a point and copy.
  void precompute_copies_async(gpu::DeviceSpan<Affine> points, gpu::StreamRef stream) const;

 private:
  DeviceMsm(const DeviceMsmPlan& plan, const BucketSums<Curve>& buckets);

  DeviceMsmPlan plan_;
  ReductionShape shape_;
  std::vector<ReductionStep> reduction_;
  BucketSums<Curve> buckets_;
  gpu::DeviceSpan<std::uint64_t> limbs_;           // (limbs of a scalar, points)
  gpu::DeviceSpan<Affine> sums_;                   // (sets, buckets)
  gpu::DeviceSpan<Affine> rows_;                   // (sets, buckets / 2)
  gpu::DeviceSpan<Xyzz> bit_sums_;                 // (sets, bit_sums)
  std::optional<gpu::PinnedBuffer<Xyzz>> result_;  // (sets, bit_sums)
};

}  // namespace belfry::msm
