#include "belfry/msm/bucket_stream.h"

#include <algorithm>

namespace belfry::msm {
namespace {

/// Additions that share an inversion, at most.
constexpr std::size_t kMaxBatch = 1024;
/// Buckets for each addition of a batch: about every 16th point finds its bucket taken.
constexpr std::size_t kBucketsPerAddition = 8;
/// Points that may wait for the next batch; less than the smallest batch.
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
  buffers_.pairs.resize(kMaxBatch);
  buffers_.keys.resize(kMaxBatch);
  buffers_.waiting.clear();
  buffers_.single.resize(target.states.size());
}

template <class Curve>
void BucketStream<Curve>::collect(PointRef sum, BucketEntry entry) {
  target_.states[entry.key - 1] = BucketState::kTaken;
  buffers_.pairs[count_] = {sum, point(entry.entry), bucket(entry.key)};
  buffers_.keys[count_] = entry.key;
  ++count_;
}

template <class Curve>
void BucketStream<Curve>::add(std::span<const BucketEntry> entries) {
  for (const BucketEntry entry : entries) {
    if (target_.states[entry.key - 1] == BucketState::kFilled) [[likely]] {
      collect(point_ref(bucket(entry.key)), entry);
    } else {
      add_rarely(entry);
    }
    if (count_ == batch_) add_batch();
  }
}

template <class Curve>
void BucketStream<Curve>::add_rarely(BucketEntry entry) {
  BucketState& state = target_.states[entry.key - 1];
  std::uint32_t& single = buffers_.single[entry.key - 1];
  if (state == BucketState::kEmpty) {
    state = BucketState::kSingle;
    single = entry.entry;
  } else if (state == BucketState::kSingle) {
    collect(point(single), entry);
  } else if (buffers_.waiting.size() < kMaxWaiting) {
    buffers_.waiting.push_back(entry);
  } else {
    left_.push_back(entry.entry);
  }
}

template <class Curve>
void BucketStream<Curve>::add_collected() {
  tree_.add(std::span(buffers_.pairs).first(count_));
  for (std::size_t i = 0; i < count_; ++i) {
    target_.states[buffers_.keys[i] - 1] = BucketState::kFilled;
  }
  count_ = 0;
}

template <class Curve>
void BucketStream<Curve>::add_batch() {
  add_collected();
  std::size_t kept = 0;
  for (const BucketEntry entry : buffers_.waiting) {
    if (target_.states[entry.key - 1] == BucketState::kTaken) {
      buffers_.waiting[kept++] = entry;
    } else {
      collect(point_ref(bucket(entry.key)), entry);
    }
  }
  buffers_.waiting.resize(kept);
}

template <class Curve>
void BucketStream<Curve>::finish(std::size_t first_bucket, std::size_t end_bucket) {
  add_batch();  // collects some of those that wait
  add_collected();
  for (const BucketEntry entry : buffers_.waiting) left_.push_back(entry.entry);
  for (std::size_t i = first_bucket; i < end_bucket; ++i) {
    if (target_.states[i] != BucketState::kSingle) continue;
    const auto key = static_cast<std::uint32_t>(i + 1);
    kernels_.copy(point(buffers_.single[i]), bucket(key));
    target_.states[i] = BucketState::kFilled;
  }
}

template class BucketStream<curve::G1>;
template class BucketStream<curve::G2>;

}  // namespace belfry::msm
