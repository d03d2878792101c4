#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "belfry/msm/bucket_stream.h"
#include "belfry/msm/digits_core.h"
#include "belfry/msm/kernels.h"
#include "belfry/msm/stored_points.h"
#include "belfry/msm/workspace.h"

namespace belfry::msm {

/// Scalars with the constant of a plan added (core::prepare_scalar), limb by limb, so that a window
/// reads no more than it needs: limb k of scalar i at limbs[k * stride + i].
struct PreparedScalars {
  const std::uint64_t* limbs = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;

  [[nodiscard]] std::int32_t digit(std::size_t i, const core::DigitPlan& plan,
                                   unsigned w) const noexcept {
    return core::digit_of([&](std::size_t k) { return limbs[k * stride + i]; }, plan, w);
  }
};

/// Points of a chunk in the order of their digits in one window, as counting sort leaves them.
/// Kept and lent to window after window: fresh memory costs page faults.
struct SortedEntries {
  std::vector<std::vector<std::uint32_t>> left;  ///< what each part of stream() left over
  std::vector<std::uint32_t> entries;  ///< 2·index + sign, by key, the magnitude of the digit
  std::vector<std::uint32_t> starts;   ///< first entry of each key; one more than the last key
  std::vector<std::uint32_t> next;     ///< while sorting: where the next entry of a key goes

  [[nodiscard]] std::size_t blocks() const noexcept {
    return (entries.size() + kBlockEntries - 1) / kBlockEntries;
  }
};

/// One window of a multi-scalar multiplication: bucket d holds the sum of all points whose digit is
/// d (minus those whose digit is -d). Chunk after chunk: every part of the stream (in any order, in
/// parallel), sort, then every block of the sorted entries (likewise), then merge.
template <class Curve>
class Window {
 public:
  struct Part {
    std::size_t index;
    std::size_t count;
  };

  Window(const PointKernels<Curve>& kernels, const core::DigitPlan& plan, unsigned index);

  /// Takes memory for the buckets, unless it has some: one of `spare` or fresh.
  void open(std::vector<AlignedBytes>& spare);
  /// A part of the buckets: adds the points that belong there in their own order,
  /// except those that a BucketStream leaves over, which go to `left`.
  void stream(const PreparedScalars& prepared, const StoredPoints<Curve>& points, Part part,
              Workspace<Curve>& workspace, std::vector<std::uint32_t>& left);
  /// Groups what was left over by the magnitude of the digit (counting sort).
  void sort(const PreparedScalars& prepared, SortedEntries& sorted);
  /// Adds one block of entries to the buckets. Blocks cut the entries evenly, whatever the digits
  /// are: a bucket that goes over a border leaves a partial sum for merge().
  void sum_block(std::size_t block, const SortedEntries& sorted, const StoredPoints<Curve>& points,
                 Workspace<Curve>& workspace);
  /// Ends a chunk: adds the partial sums.
  void merge(Workspace<Curve>& workspace);

  /// Σ d·bucket[d] over all buckets.
  [[nodiscard]] typename Curve::Jacobian finish(Workspace<Curve>& workspace);
  /// Gives the memory of the buckets back; the window is spent.
  void close(std::vector<AlignedBytes>& spare) { spare.push_back(std::move(buckets_)); }

 private:
  struct Partial {
    bool used = false;
    std::uint32_t key = 0;
  };
  [[nodiscard]] std::byte* bucket(std::uint32_t key) noexcept {
    return buckets_.data() + kernels_.stride * (key - 1);
  }
  void merge_partials(std::size_t from, std::size_t to, Workspace<Curve>& workspace);
  void deposit(std::uint32_t key, PointRef sum, Workspace<Curve>& workspace);
  void keep_partial(std::size_t place, std::uint32_t key, PointRef sum);

  const PointKernels<Curve>& kernels_;
  core::DigitPlan plan_;
  unsigned index_;
  AlignedBytes buckets_;
  std::vector<BucketState> states_;  ///< of bucket key at key - 1
  AlignedBytes partial_points_;      ///< two a block
  std::vector<Partial> partials_;
};

extern template class Window<curve::G1>;
extern template class Window<curve::G2>;

}  // namespace belfry::msm
