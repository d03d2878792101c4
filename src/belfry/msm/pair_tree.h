#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/msm/aligned_bytes.h"
#include "belfry/msm/kernels.h"

namespace belfry::msm {

/// Neighbouring references that belong to one sum.
struct Run {
  std::size_t begin = 0;
  std::size_t count = 0;
};

/// Sums of runs of stored points, as binary trees: each level adds neighbours of all runs in one
/// batch, so no two additions of a batch touch the same sum, whatever the points are, and a run of
/// any length costs one addition less than it has points.
///
/// One thread at a time. Memory: half a stored point and half a pair for each reference.
template <class Curve>
class PairTree {
 public:
  PairTree(const PointKernels<Curve>& kernels, std::size_t capacity);

  /// Replaces the first reference of every run by its sum; the others are spent. Runs are not
  /// empty; all counts together are at most the capacity. The sums lie in this object and stay
  /// valid until the next call.
  void reduce(std::span<PointRef> refs, std::span<Run> runs);

  /// All sums of pairs, whose outputs are distinct.
  void add(std::span<const PairSum> pairs);

 private:
  [[nodiscard]] bool is_slot(PointRef ref) const noexcept;
  void pair_up(std::span<PointRef> refs, Run& run, bool first_level);

  const PointKernels<Curve>& kernels_;
  std::size_t capacity_;
  AlignedBytes slots_;
  AlignedBytes scratch_;
  std::size_t used_slots_ = 0;
  std::vector<PairSum> pairs_;
};

extern template class PairTree<curve::G1>;
extern template class PairTree<curve::G2>;

}  // namespace belfry::msm
