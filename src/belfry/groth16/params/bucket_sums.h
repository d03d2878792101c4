#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "belfry/curve/subgroup.h"
#include "belfry/curve/weierstrass.h"

namespace belfry::groth16 {

/// Tests many points of a curve for membership of the subgroup at the price of a few additions
/// each.
///
/// In each of kRounds rounds a point is added to one of kBuckets sums, chosen at random by whoever
/// knows the points already; then the sums are tested instead of the points. Fix the bucket of
/// every point but one that is outside: whatever the others add up to, at most one choice of its
/// bucket leaves all sums inside. So one round misses bad points with probability 1/256 at most,
/// eight rounds with 2^-64, however many there are and however they are related. Not thread-safe;
/// one object a worker, merged at the end.
template <class Point>
class BucketSums {
 public:
  static constexpr std::size_t kRounds = 8;
  static constexpr std::size_t kBuckets = 256;

  BucketSums() : sums_(kRounds * kBuckets) {}

  /// Byte k of `choice` is the bucket of round k.
  void add(std::uint64_t choice, const Point& point) {
    for (std::size_t round = 0; round < kRounds; ++round) {
      sums_[round * kBuckets + bucket(choice, round)] += point;
    }
  }
  void merge(const BucketSums& other) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  }

  [[nodiscard]] static constexpr std::size_t bucket(std::uint64_t choice, std::size_t round) {
    return (choice >> (8 * round)) % kBuckets;
  }
  /// Whether a sum lies in the subgroup.
  [[nodiscard]] bool is_good(std::size_t round, std::size_t index) const {
    return curve::in_subgroup(sums_[round * kBuckets + index].to_affine());
  }

 private:
  std::vector<typename Point::Group::Xyzz> sums_;  // (kRounds, kBuckets)
};

}  // namespace belfry::groth16
