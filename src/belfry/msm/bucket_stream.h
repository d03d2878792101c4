#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/msm/kernels.h"
#include "belfry/msm/pair_tree.h"
#include "belfry/msm/stored_points.h"

namespace belfry::msm {

/// One point and its sign, 2·index + sign, that goes to bucket `key` (counted from 1).
struct BucketEntry {
  std::uint32_t key = 0;
  std::uint32_t entry = 0;
};

/// What the bytes of BucketStream::Target::states mean.
enum class BucketState : std::uint8_t {
  kEmpty,   ///< nothing was added yet, and the memory of the bucket is not written
  kFilled,  ///< holds a sum
  kTaken,   ///< likewise, and the batch being collected will add to it
};

/// Buffers of a stream, lent to one after the other.
struct StreamBuffers {
  std::vector<PairSum> pairs;
  std::vector<std::uint32_t> keys;  ///< of the pairs
  std::vector<BucketEntry> again;
};

/// Adds points to buckets in the order in which they come. Additions are collected into batches
/// that share an inversion, in which no bucket appears twice: a point whose bucket is taken waits
/// for the next batch, and if too many wait (few distinct digits) it is left over for the caller.
///
/// So points are read one after the other, which a CPU does by itself ahead of time, and what is at
/// random are only the buckets, a small part of the points' memory. One thread at a time.
template <class Curve>
class BucketStream {
 public:
  /// Buckets of one window, `stride` bytes each, and their states; bucket `key` is number key - 1.
  struct Target {
    std::byte* buckets;
    std::span<BucketState> states;
  };
  /// Fewer buckets give batches too small to pay for their inversion.
  static constexpr std::size_t kLeastBuckets = 4096;

  BucketStream(const PointKernels<Curve>& kernels, const StoredPoints<Curve>& points, Target target,
               StreamBuffers& buffers, PairTree<Curve>& tree, std::vector<std::uint32_t>& left);

  void push(std::uint32_t key, std::uint32_t entry) {
    BucketState& state = target_.states[key - 1];
    if (state != BucketState::kFilled) [[unlikely]] {
      push_rarely({key, entry});
      return;
    }
    collect({key, entry}, state);
    if (buffers_.pairs.size() == batch_) add_batch();
  }
  /// Adds what is collected; entries that still wait are left over.
  void finish();

 private:
  void collect(BucketEntry point, BucketState& state) {
    state = BucketState::kTaken;
    std::byte* const bucket = target_.buckets + kernels_.stride * (point.key - 1);
    buffers_.pairs.push_back(
        {point_ref(bucket), points_.ref(point.entry / 2, point.entry % 2 != 0), bucket});
    buffers_.keys.push_back(point.key);
  }
  void push_rarely(BucketEntry point);
  void add_batch();
  void add_collected();

  const PointKernels<Curve>& kernels_;
  const StoredPoints<Curve>& points_;
  Target target_;
  StreamBuffers& buffers_;
  PairTree<Curve>& tree_;
  std::vector<std::uint32_t>& left_;
  std::size_t batch_;
};

extern template class BucketStream<curve::G1>;
extern template class BucketStream<curve::G2>;

}  // namespace belfry::msm
