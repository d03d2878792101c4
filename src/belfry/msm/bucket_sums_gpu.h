#pragma once

#include <array>
#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/batch_add_gpu.h"
#include "belfry/msm/bucket_core.h"
#include "belfry/msm/sort_gpu.h"

namespace belfry::msm {

/// The most that one accumulation has.
struct BucketLimits {
  std::uint64_t entries = 0;         ///< below 2^32
  std::uint32_t buckets = 0;         ///< below 2^32 - 1
  std::uint64_t largest_bucket = 0;  ///< entries of one bucket, in the worst case
};

/// Sums signed points by bucket on the device: sort, lists of pairs, one batch of affine additions
/// a level of the tree (bucket_core.h). The work is cut evenly whatever the buckets' sizes are.
///
/// Memory from an arena, about 75 bytes an entry (G1). Members queue work on a stream and return.
/// Throws gpu::CudaError. One object works on one stream at a time. `Curve` is curve::G1 or G2.
template <class Curve>
class BucketSums {
 public:
  using Affine = typename Curve::Affine;

  [[nodiscard]] static Result<BucketSums> create(const BucketLimits& limits,
                                                 unsigned multiprocessors, gpu::Arena& arena);

  /// Where the caller writes the entries' keys (their buckets; `buckets` itself for no bucket) and
  /// values (point indices, core::kNegative for the negative) before each accumulation.
  [[nodiscard]] std::uint32_t* keys() const noexcept { return keys_.current.data(); }
  [[nodiscard]] std::uint32_t* values() const noexcept { return values_.current.data(); }

  /// sums[b] = the sum of the signed points whose key is b, infinity for none. Spends the entries.
  /// At least one entry.
  ///
  /// @param sums the number of buckets is its size
  void accumulate_async(gpu::DeviceSpan<const Affine> points, std::uint64_t entries,
                        gpu::DeviceSpan<Affine> sums, gpu::StreamRef stream);

  [[nodiscard]] const BatchAdder<Curve>& adder() const noexcept { return adder_; }

 private:
  static constexpr unsigned kMaxLevels = 32;

  BucketSums(const BatchAdder<Curve>& adder, const DeviceSort& sort) : adder_(adder), sort_(sort) {}

  BatchAdder<Curve> adder_;
  DeviceSort sort_;
  SortBuffers keys_;
  SortBuffers values_;
  gpu::DeviceSpan<std::uint32_t> entry_begin_;  // (buckets + 1)
  gpu::DeviceSpan<std::uint32_t> slot_begin_;   // (buckets + 1)
  gpu::DeviceSpan<core::PointPair> pairs_;      // (slots)
  gpu::DeviceSpan<std::uint32_t> lists_;        // for each level its list
  gpu::DeviceSpan<std::uint32_t> list_sizes_;   // (kMaxLevels)
  gpu::DeviceSpan<Affine> slots_;
  std::array<std::uint64_t, kMaxLevels> list_begin_{};
  unsigned levels_ = 0;
};

}  // namespace belfry::msm
