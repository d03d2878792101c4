#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "belfry/msm/bucket_core.h"

// From bucket sums to the weighted sum Σ (b + 1)·D[b] of every set, as plain trees. With b = hi·2^L
// + lo it is 2^L·Σ hi·row[hi] + Σ lo·column[lo] + Σ column[lo], where rows and columns are sums
// over lo and hi: two batched additions a bucket. Rows and columns are few, and are added up by the
// bits of their index; what is left, about one sum a bit, goes to the host.
namespace belfry::msm {

/// How a set of 2^log_buckets sums is cut.
struct ReductionShape {
  unsigned low_bits = 0;   ///< L: columns are 2^L
  unsigned high_bits = 0;  ///< rows are 2^high_bits

  [[nodiscard]] BELFRY_HD static constexpr ReductionShape of(unsigned log_buckets) noexcept {
    return {(log_buckets + 1) / 2, log_buckets / 2};
  }
  /// Sums that go to the host for each set: columns with bit t of their index for t < L, all
  /// columns, rows with bit t for t < high_bits.
  [[nodiscard]] BELFRY_HD constexpr unsigned bit_sums() const noexcept {
    return low_bits + 1 + high_bits;
  }
};

/// One batch of additions. Arrays: the bucket sums of all sets, and half as many row sums.
struct ReductionStep {
  core::RegularPairs pairs;
  std::uint32_t count = 0;
  bool reads_rows = false;
  bool writes_rows = false;
};

/// The batches in order, for `sets` sets of 2^log_buckets sums; log_buckets is at least 1. After
/// them column lo of set s is at bucket s·2^log_buckets + lo, and row hi of set s at
/// s·2^(log_buckets - 1) + hi·2^(L - 1) of the rows.
[[nodiscard]] std::vector<ReductionStep> reduction_steps(unsigned log_buckets, unsigned sets);

/// Σ_s 2^(window_bits·s) · (weighted sum of set s).
///
/// @param sums (sets, bit_sums)
template <class Curve>
[[nodiscard]] typename Curve::Jacobian combine_bit_sums(std::span<const typename Curve::Xyzz> sums,
                                                        unsigned window_bits,
                                                        const ReductionShape& shape);

}  // namespace belfry::msm
