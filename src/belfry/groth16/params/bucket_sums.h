#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/msm/aligned_bytes.h"
#include "belfry/msm/kernels.h"
#include "belfry/msm/pair_tree.h"
#include "belfry/msm/stored_points.h"

namespace belfry::groth16 {

/// Tests many points of a curve for membership of the subgroup at the price of a few additions
/// each.
///
/// In each of kRounds rounds a point is added to one of kBuckets sums, chosen at random by whoever
/// knows the points already; then the sums are tested instead of the points. Fix the bucket of
/// every point but one that is outside: whatever the others add up to, at most one choice of its
/// bucket leaves all sums inside. So one round misses bad points with probability 1/256 at most,
/// eight rounds with 2^-64, however many there are and however they are related. Not thread-safe;
/// one object a worker, merged at the end. `Curve` is curve::G1 or curve::G2; the kernels outlive
/// it.
///
/// Cost: eight affine additions a point, in batches: 5M + 1S each. Memory: 2048 stored points and
/// half of `most_points`.
template <class Curve>
class BucketSums {
 public:
  static constexpr std::size_t kRounds = 8;
  static constexpr std::size_t kBuckets = 256;

  /// Sums that are infinity, for calls of `add` with so many points at most.
  BucketSums(const msm::PointKernels<Curve>& kernels, std::size_t most_points);

  /// Adds points 0 ... choices.size() - 1; byte k of choices[i] is the bucket of point i in round
  /// k.
  void add(std::span<const std::uint64_t> choices, const msm::StoredPoints<Curve>& points);
  /// Adds the sums of another object, which has the same kernels.
  void merge(const BucketSums& other);

  [[nodiscard]] static constexpr std::size_t bucket(std::uint64_t choice, std::size_t round) {
    return (choice >> (8 * round)) % kBuckets;
  }
  [[nodiscard]] typename Curve::Affine sum(std::size_t round, std::size_t bucket) const;

 private:
  [[nodiscard]] std::byte* stored(std::size_t round, std::size_t bucket) noexcept {
    return sums_.data() + (round * kBuckets + bucket) * kernels_.stride;
  }
  void collect_runs(std::span<const std::uint64_t> choices, std::size_t round,
                    const msm::StoredPoints<Curve>& points);

  const msm::PointKernels<Curve>& kernels_;
  msm::AlignedBytes sums_;  // (kRounds, kBuckets)
  msm::PairTree<Curve> tree_;
  // Of one round: each run is a sum and the points that go there.
  std::vector<msm::PointRef> refs_;
  std::vector<msm::Run> runs_;
};

extern template class BucketSums<curve::G1>;
extern template class BucketSums<curve::G2>;

}  // namespace belfry::groth16
