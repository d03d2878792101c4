#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/batch_add_gpu.h"
#include "belfry/msm/bucket_lists_gpu.h"

namespace belfry::msm {

/// Sums signed points by bucket on the device: lists, then one batch of affine additions a level of
/// the tree. About 75 bytes an entry (G1) from an arena.
///
/// Queues work on a stream and returns. Throws gpu::CudaError. One object works on one stream at a
/// time. `Curve` is curve::G1 or curve::G2.
template <class Curve>
class BucketSums {
 public:
  using Affine = typename Curve::Affine;

  [[nodiscard]] static Result<BucketSums> create(const BucketLimits& limits,
                                                 unsigned multiprocessors, gpu::Arena& arena);

  /// For writing the entries and, to measure, for building the lists alone.
  [[nodiscard]] BucketLists& lists() noexcept { return lists_; }
  [[nodiscard]] const BatchAdder<Curve>& adder() const noexcept { return adder_; }

  /// sums[b] = the sum of the signed points whose key is b, infinity for none, from lists that were
  /// built for sums.size() buckets.
  void accumulate_async(gpu::DeviceSpan<const Affine> points, gpu::DeviceSpan<Affine> sums,
                        gpu::StreamRef stream) const;

  // The parts of accumulate_async, for measuring.
  void add_pairs_async(gpu::DeviceSpan<const Affine> points, std::uint32_t buckets,
                       gpu::StreamRef stream) const;
  void add_levels_async(gpu::StreamRef stream) const;
  void collect_async(gpu::DeviceSpan<Affine> sums, gpu::StreamRef stream) const;

 private:
  BucketSums(const BatchAdder<Curve>& adder, const BucketLists& lists)
      : adder_(adder), lists_(lists) {}

  BatchAdder<Curve> adder_;
  BucketLists lists_;
  gpu::DeviceSpan<Affine> slots_;
};

}  // namespace belfry::msm
