#include "belfry/msm/weighted_sum.h"

#include <bit>
#include <vector>

namespace belfry::msm {
namespace {

/// Sums of points by group; empty groups are infinity.
template <class Curve>
class GroupSums {
 public:
  using Jacobian = typename Curve::Jacobian;
  using Affine = typename Curve::Affine;

  GroupSums(const PointKernels<Curve>& kernels, std::size_t groups, Workspace<Curve>& workspace)
      : kernels_(kernels), workspace_(workspace), sums_(groups) {
    workspace_.refs.clear();
    workspace_.runs.clear();
    workspace_.keys.clear();
  }

  /// Points of a group follow each other.
  void push(std::uint32_t group, PointRef point) {
    const bool same = !workspace_.keys.empty() && workspace_.keys.back() == group;
    if (workspace_.refs.size() == kBlockEntries) flush();
    if (!same || workspace_.keys.empty()) {
      workspace_.keys.push_back(group);
      workspace_.runs.push_back({workspace_.refs.size(), 0});
    }
    workspace_.refs.push_back(point);
    ++workspace_.runs.back().count;
  }

  /// Σ group·sum(group) by running sums from the top.
  Jacobian weighted() {
    flush();
    Jacobian running = Jacobian::infinity();
    Jacobian total = Jacobian::infinity();
    for (std::size_t group = sums_.size(); group-- > 1;) {
      running += sums_[group];
      total += running;
    }
    return total;
  }

 private:
  void flush() {
    workspace_.tree.reduce(workspace_.refs, workspace_.runs);
    for (std::size_t i = 0; i < workspace_.keys.size(); ++i) {
      Affine sum;
      kernels_.load(address(workspace_.refs[workspace_.runs[i].begin]), 1, &sum);
      sums_[workspace_.keys[i]] += sum;
    }
    workspace_.refs.clear();
    workspace_.runs.clear();
    workspace_.keys.clear();
  }

  const PointKernels<Curve>& kernels_;
  Workspace<Curve>& workspace_;
  std::vector<Jacobian> sums_;
};

}  // namespace

template <class Curve>
typename Curve::Jacobian weighted_sum(const PointKernels<Curve>& kernels,
                                      std::span<const WeightedPoint> points,
                                      Workspace<Curve>& workspace) {
  using Jacobian = typename Curve::Jacobian;
  if (points.empty()) return Jacobian::infinity();
  const auto bits = static_cast<unsigned>(std::bit_width(points.back().weight));
  const unsigned low_bits = bits / 2;
  const std::uint32_t low_mask = (std::uint32_t{1} << low_bits) - 1;

  GroupSums<Curve> rows(kernels, std::size_t{1} << (bits - low_bits), workspace);
  for (const WeightedPoint& p : points) rows.push(p.weight >> low_bits, p.point);
  Jacobian sum = rows.weighted();
  for (unsigned i = 0; i < low_bits; ++i) sum = sum.doubled();

  std::vector<std::vector<PointRef>> columns(std::size_t{1} << low_bits);
  for (const WeightedPoint& p : points) columns[p.weight & low_mask].push_back(p.point);
  GroupSums<Curve> column_sums(kernels, columns.size(), workspace);
  for (std::uint32_t low = 1; low < columns.size(); ++low) {
    for (const PointRef point : columns[low]) column_sums.push(low, point);
  }
  return sum + column_sums.weighted();
}

template curve::G1Jacobian weighted_sum(const PointKernels<curve::G1>&,
                                        std::span<const WeightedPoint>, Workspace<curve::G1>&);
template curve::G2Jacobian weighted_sum(const PointKernels<curve::G2>&,
                                        std::span<const WeightedPoint>, Workspace<curve::G2>&);

}  // namespace belfry::msm
