#pragma once

#include <array>
#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/bucket_core.h"
#include "belfry/msm/sort_gpu.h"

namespace belfry::msm {

/// The most that one accumulation has.
struct BucketLimits {
  std::uint64_t entries = 0;         ///< below 2^32
  std::uint32_t buckets = 0;         ///< below 2^32 - 1
  std::uint64_t largest_bucket = 0;  ///< entries of one bucket, in the worst case
};

/// The work lists of bucket accumulation on the device (bucket_core.h): sorts entries and writes
/// the pairs of the first level and the slots of every further level. Work is cut by entries, so
/// buckets of any sizes cost the same. About 30 bytes an entry from an arena.
///
/// Queues work on a stream and returns. Throws gpu::CudaError. One stream at a time.
class BucketLists {
 public:
  static constexpr unsigned kMaxLevels = 32;

  [[nodiscard]] static Result<BucketLists> create(const BucketLimits& limits, gpu::Arena& arena);

  /// Where the caller writes the entries' keys (their buckets; `buckets` itself for no bucket) and
  /// values (point indices, core::kNegative for the negative) before each build.
  [[nodiscard]] std::uint32_t* keys() const noexcept { return keys_.current.data(); }
  [[nodiscard]] std::uint32_t* values() const noexcept { return values_.current.data(); }

  /// Spends the entries, at least one.
  void build_async(std::uint64_t entries, std::uint32_t buckets, gpu::StreamRef stream);

  /// Slots that an accumulation within the limits can have.
  [[nodiscard]] std::uint64_t max_slots() const noexcept { return pairs_.size(); }
  /// Levels above the first that it can have.
  [[nodiscard]] unsigned levels() const noexcept { return levels_; }

  // Results of the last build, on the device.
  [[nodiscard]] const core::PointPair* pairs() const noexcept { return pairs_.data(); }
  /// The first slot of each bucket; behind them the number of slots. (buckets + 1)
  [[nodiscard]] const std::uint32_t* slot_begin() const noexcept { return slot_begin_.data(); }
  [[nodiscard]] const std::uint32_t* list(unsigned level) const noexcept {
    return lists_.data() + list_begin_[level];
  }
  [[nodiscard]] const std::uint32_t* list_size(unsigned level) const noexcept {
    return list_sizes_.data() + level;
  }

 private:
  explicit BucketLists(const DeviceSort& sort) : sort_(sort) {}

  DeviceSort sort_;
  SortBuffers keys_;
  SortBuffers values_;
  gpu::DeviceSpan<std::uint32_t> entry_begin_;  // (buckets + 1)
  gpu::DeviceSpan<std::uint32_t> slot_begin_;   // (buckets + 1)
  gpu::DeviceSpan<core::PointPair> pairs_;      // (slots)
  gpu::DeviceSpan<std::uint32_t> lists_;        // for each level its list
  gpu::DeviceSpan<std::uint32_t> list_sizes_;   // (kMaxLevels)
  std::array<std::uint64_t, kMaxLevels> list_begin_{};
  unsigned levels_ = 0;
};

}  // namespace belfry::msm
