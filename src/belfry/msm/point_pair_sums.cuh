#pragma once

#include "belfry/msm/batch_add.cuh"
#include "belfry/msm/group_transform_core.h"

namespace belfry::msm::device {

/// The inverse of the denominator of every thread's sums, with one inversion for a block of
/// 2^kLogThreads threads. Threads without work bring sums at infinity.
template <unsigned kLogThreads>
__device__ __forceinline__ Fp inverse_in_block(const core::PointPairSums& sums) {
  __shared__ Fp warp_products[(1U << kLogThreads) / kWarpSize];
  Fp inverse = sums.denominator();
  invert_in_block<kLogThreads, 0>(inverse, warp_products);
  return inverse;
}

}  // namespace belfry::msm::device
