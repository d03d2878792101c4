#include "belfry/msm/bucket_reduction.h"

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

namespace belfry::msm {
namespace {

/// Σ 2^t·sums[t]
template <class Curve>
typename Curve::Jacobian horner(std::span<const typename Curve::Xyzz> sums) {
  auto total = Curve::Jacobian::infinity();
  for (std::size_t t = sums.size(); t-- > 0;) total = total.doubled() + sums[t].to_jacobian();
  return total;
}

template <class Curve>
typename Curve::Jacobian double_times(typename Curve::Jacobian point, unsigned times) {
  for (unsigned i = 0; i < times; ++i) point = point.doubled();
  return point;
}

}  // namespace

std::vector<ReductionStep> reduction_steps(unsigned log_buckets, unsigned sets) {
  const ReductionShape shape = ReductionShape::of(log_buckets);
  const std::uint32_t buckets = std::uint32_t{sets} << log_buckets;
  std::vector<ReductionStep> steps;
  // Rows: neighbours first, into the rows' array, then there at growing distances.
  steps.push_back({{0, 1, 0, 1}, buckets / 2, false, true});
  for (unsigned level = 1; level < shape.low_bits; ++level) {
    const std::uint32_t distance = std::uint32_t{1} << (level - 1);
    steps.push_back({{0, level, level, distance}, buckets >> (level + 1), true, true});
  }
  // Columns: the upper half of what is left of each set onto the lower.
  for (unsigned left = log_buckets; left > shape.low_bits; --left) {
    const unsigned half = left - 1;
    steps.push_back({{half, log_buckets, log_buckets, std::uint32_t{1} << half},
                     std::uint32_t{sets} << half,
                     false,
                     false});
  }
  return steps;
}

template <class Curve>
typename Curve::Jacobian combine_bit_sums(std::span<const typename Curve::Xyzz> sums,
                                          unsigned window_bits, const ReductionShape& shape) {
  auto total = Curve::Jacobian::infinity();
  for (std::size_t set = sums.size() / shape.bit_sums(); set-- > 0;) {
    const auto of_set = sums.subspan(set * shape.bit_sums(), shape.bit_sums());
    const auto rows = horner<Curve>(of_set.subspan(shape.low_bits + 1));
    total = double_times<Curve>(total, window_bits);
    total += double_times<Curve>(rows, shape.low_bits);
    total += horner<Curve>(of_set.first(shape.low_bits));
    total += of_set[shape.low_bits].to_jacobian();
  }
  return total;
}

template curve::G1Jacobian combine_bit_sums<curve::G1>(std::span<const curve::G1Xyzz>, unsigned,
                                                       const ReductionShape&);
template curve::G2Jacobian combine_bit_sums<curve::G2>(std::span<const curve::G2Xyzz>, unsigned,
                                                       const ReductionShape&);

}  // namespace belfry::msm
