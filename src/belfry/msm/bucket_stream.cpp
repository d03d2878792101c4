#include "belfry/msm/bucket_stream.h"

#include <algorithm>

namespace belfry::msm {
namespace {

/// Additions that share an inversion, at most.
constexpr std::size_t kMaxBatch = 2048;
/// Buckets for each addition of a batch: about every 32nd point finds its bucket taken.
constexpr std::size_t kBucketsPerAddition = 8;
/// Points that may wait for the next batch.
constexpr std::size_t kMaxWaiting = 256;

}  // namespace

template <class Curve>
BucketStream<Curve>::BucketStream(const PointKernels<Curve>& kernels,
                                  const StoredPoints<Curve>& points, Target target,
                                  StreamBuffers& buffers, PairTree<Curve>& tree,
                                  std::vector<std::uint32_t>& left)
    : kernels_(kernels),
      points_(points),
      target_(target),
      buffers_(buffers),
      tree_(tree),
      left_(left),
      batch_(std::min(kMaxBatch, target.states.size() / kBucketsPerAddition)) {
  buffers_.pairs.clear();
  buffers_.keys.clear();
  buffers_.again.clear();
}

template <class Curve>
void BucketStream<Curve>::push_rarely(BucketEntry point) {
  BucketState& state = target_.states[point.key - 1];
  if (state == BucketState::kEmpty) {
    state = BucketState::kFilled;
    kernels_.copy(points_.ref(point.entry / 2, point.entry % 2 != 0),
                  target_.buckets + kernels_.stride * (point.key - 1));
  } else if (buffers_.again.size() < kMaxWaiting) {
    buffers_.again.push_back(point);
  } else {
    left_.push_back(point.entry);
  }
}

template <class Curve>
void BucketStream<Curve>::add_collected() {
  tree_.add(buffers_.pairs);
  for (const std::uint32_t key : buffers_.keys) {
    target_.states[key - 1] = BucketState::kFilled;
  }
  buffers_.pairs.clear();
  buffers_.keys.clear();
}

template <class Curve>
void BucketStream<Curve>::add_batch() {
  add_collected();
  std::size_t kept = 0;
  for (const BucketEntry point : buffers_.again) {
    BucketState& state = target_.states[point.key - 1];
    if (state == BucketState::kTaken) {
      buffers_.again[kept++] = point;
    } else {
      collect(point, state);
    }
  }
  buffers_.again.resize(kept);
}

template <class Curve>
void BucketStream<Curve>::finish() {
  add_collected();
  for (const BucketEntry point : buffers_.again) left_.push_back(point.entry);
  buffers_.again.clear();
}

template class BucketStream<curve::G1>;
template class BucketStream<curve::G2>;

}  // namespace belfry::msm
