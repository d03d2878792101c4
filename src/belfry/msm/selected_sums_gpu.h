#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/bucket_sums_gpu.h"
#include "belfry/msm/pattern_core.h"

namespace belfry::msm {

/// Σ P_i over the set bits of each of up to ten masks, on the device, in one pass over the points
/// (pattern_core.h): the bits of all partitions of a proof cost one addition a point. Right for
/// any points.
///
/// About 75 bytes a point (G1) from an arena. Queues work and returns; throws gpu::CudaError. One
/// object works on one stream at a time. `Curve` is curve::G1 or curve::G2.
template <class Curve>
class DeviceSelectedSums {
 public:
  using Affine = typename Curve::Affine;
  using Xyzz = typename Curve::Xyzz;

  /// @return kInvalidInput for no mask or more than ten, or 2^31 - 1 points and more;
  ///         kResourceExhausted if the arena has too little
  [[nodiscard]] static Result<DeviceSelectedSums> create(std::uint64_t points, unsigned masks,
                                                         const gpu::DeviceInfo& device,
                                                         gpu::Arena& arena);
  /// The same without the pinned memory, to measure on an arena without memory: its used_bytes()
  /// are exact.
  [[nodiscard]] static Result<DeviceSelectedSums> take(std::uint64_t points, unsigned masks,
                                                       const gpu::DeviceInfo& device,
                                                       gpu::Arena& arena);

  /// @param points as many as announced
  /// @param words  (masks, ceil(points / 64)): bit i of mask m is bit i % 64 of words[m][i / 64]
  void sum_async(gpu::DeviceSpan<const Affine> points, gpu::DeviceSpan<const std::uint64_t> words,
                 gpu::StreamRef stream);
  /// The sum for each mask, when the stream has passed.
  [[nodiscard]] std::vector<typename Curve::Jacobian> result() const;

 private:
  DeviceSelectedSums(std::uint64_t points, unsigned masks, const BucketSums<Curve>& buckets)
      : points_(points), masks_(masks), buckets_(buckets) {}

  std::uint64_t points_;
  unsigned masks_;
  BucketSums<Curve> buckets_;
  gpu::DeviceSpan<Affine> sums_;                   // (patterns)
  gpu::DeviceSpan<Xyzz> mask_sums_;                // (masks)
  std::optional<gpu::PinnedBuffer<Xyzz>> result_;  // (masks)
};

}  // namespace belfry::msm
