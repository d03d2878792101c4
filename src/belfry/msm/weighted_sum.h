#pragma once

#include <cstdint>
#include <span>

#include "belfry/msm/kernels.h"
#include "belfry/msm/workspace.h"

namespace belfry::msm {

struct WeightedPoint {
  std::uint32_t weight = 0;  ///< at least 1
  PointRef point;
};

/// Σ weight·point for points in ascending order of distinct weights, below 2^28.
///
/// With L about half the bits of the largest weight, w = hi·2^L + lo: the sums over equal hi and
/// those over equal lo are trees (two batched additions a point); only these 2^L + 2^L' sums go
/// through running sums.
template <class Curve>
[[nodiscard]] typename Curve::Jacobian weighted_sum(const PointKernels<Curve>& kernels,
                                                    std::span<const WeightedPoint> points,
                                                    Workspace<Curve>& workspace);

}  // namespace belfry::msm
