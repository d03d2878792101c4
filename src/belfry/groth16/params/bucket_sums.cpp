#include "belfry/groth16/params/bucket_sums.h"

#include <algorithm>

namespace belfry::groth16 {

template <class Curve>
BucketSums<Curve>::BucketSums(const msm::PointKernels<Curve>& kernels, std::size_t most_points)
    : kernels_(kernels),
      sums_(kRounds * kBuckets * kernels.stride),
      tree_(kernels, std::max(most_points + kBuckets, kRounds * kBuckets)),
      runs_(kBuckets) {
  // Infinity is all zeros in every form.
  std::fill_n(sums_.data(), sums_.size(), std::byte{0});
}

template <class Curve>
void BucketSums<Curve>::collect_runs(std::span<const std::uint64_t> choices, std::size_t round,
                                     const msm::StoredPoints<Curve>& points) {
  refs_.resize(choices.size() + kBuckets);
  for (msm::Run& run : runs_) run.count = 1;
  for (const std::uint64_t choice : choices) ++runs_[bucket(choice, round)].count;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < kBuckets; ++k) {
    runs_[k].begin = begin;
    refs_[begin] = msm::point_ref(stored(round, k));
    begin += runs_[k].count;
    runs_[k].count = 1;
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    msm::Run& run = runs_[bucket(choices[i], round)];
    refs_[run.begin + run.count++] = points.ref(i);
  }
}

template <class Curve>
void BucketSums<Curve>::add(std::span<const std::uint64_t> choices,
                            const msm::StoredPoints<Curve>& points) {
  for (std::size_t round = 0; round < kRounds; ++round) {
    collect_runs(choices, round, points);
    tree_.reduce(refs_, runs_);
    for (std::size_t k = 0; k < kBuckets; ++k) {
      if (runs_[k].count > 1) kernels_.copy(refs_[runs_[k].begin], stored(round, k));
    }
  }
}

template <class Curve>
void BucketSums<Curve>::merge(const BucketSums& other) {
  std::vector<msm::PairSum> pairs;
  pairs.reserve(kRounds * kBuckets);
  for (std::size_t at = 0; at < sums_.size(); at += kernels_.stride) {
    std::byte* const own = sums_.data() + at;
    pairs.push_back({msm::point_ref(own), msm::point_ref(other.sums_.data() + at), own});
  }
  tree_.add(pairs);
}

template <class Curve>
typename Curve::Affine BucketSums<Curve>::sum(std::size_t round, std::size_t bucket) const {
  typename Curve::Affine out;
  kernels_.load(sums_.data() + (round * kBuckets + bucket) * kernels_.stride, 1, &out);
  return out;
}

template class BucketSums<curve::G1>;
template class BucketSums<curve::G2>;

}  // namespace belfry::groth16
