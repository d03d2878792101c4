#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/msm/kernels.h"
#include "belfry/msm/pair_tree.h"
#include "belfry/msm/stored_points.h"

namespace belfry::msm {

/// One point with its sign, 2·index + sign, that goes to bucket `key` (counted from 1).
struct BucketEntry {
  std::uint32_t key = 0;
  std::uint32_t entry = 0;
};

enum class BucketState : std::uint8_t {
  kEmpty,   ///< nothing was added yet, and the memory of the bucket is not written
  kFilled,  ///< holds a sum
  kSingle,  ///< inside a stream: one point belongs there, but is not copied
  kTaken,   ///< inside a stream: the batch being collected will write it
};

/// Memory of a stream, lent to one after the other.
struct StreamBuffers {
  std::vector<PairSum> pairs;
  std::vector<std::uint32_t> keys;    ///< of the pairs
  std::vector<BucketEntry> waiting;   ///< for the next batch
  std::vector<std::uint32_t> single;  ///< entry of bucket key at key - 1, where the state says so
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

  void add(std::span<const BucketEntry> entries);
  /// Adds what is collected; what still waits is left over. Only kEmpty and kFilled remain.
  void finish(std::size_t first_bucket, std::size_t end_bucket);

 private:
  [[nodiscard]] std::byte* bucket(std::uint32_t key) const noexcept {
    return target_.buckets + kernels_.stride * (key - 1);
  }
  [[nodiscard]] PointRef point(std::uint32_t entry) const noexcept {
    return points_.ref(entry / 2, entry % 2 != 0);
  }
  void collect(PointRef sum, BucketEntry entry);
  void add_rarely(BucketEntry entry);
  void add_collected();
  /// Adds what is collected and begins the next batch with what waits.
  void add_batch();

  const PointKernels<Curve>& kernels_;
  const StoredPoints<Curve>& points_;
  Target target_;
  StreamBuffers& buffers_;
  PairTree<Curve>& tree_;
  std::vector<std::uint32_t>& left_;
  std::size_t batch_;      ///< pairs of a full batch
  std::size_t count_ = 0;  ///< pairs collected
};

extern template class BucketStream<curve::G1>;
extern template class BucketStream<curve::G2>;

}  // namespace belfry::msm
