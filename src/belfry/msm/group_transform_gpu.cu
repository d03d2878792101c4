#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/group_transform_gpu.h"
#include "belfry/msm/point_pair_sums.cuh"

namespace belfry::msm {
namespace {

constexpr unsigned kLogThreads = 7;
constexpr unsigned kThreads = 1U << kLogThreads;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

__global__ void __launch_bounds__(kThreads)
    level_kernel(gpu::DeviceSpan<curve::G1Affine> points, core::GroupLevel level) {
  const std::uint64_t worker = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool works = worker < points.size() / 2;
  const std::uint64_t low = level.low(worker);
  core::PointPairSums sums;
  if (works) {
    sums = core::group_butterfly(worker, level, points[low], points[low + level.half()]);
  }
  const Fp inverse = device::inverse_in_block<kLogThreads>(sums);
  if (works) sums.finish(inverse, points[low], points[low + level.half()]);
}

__global__ void __launch_bounds__(kThreads)
    scale_kernel(gpu::DeviceSpan<curve::G1Affine> points, core::PointScale scale,
                 std::uint64_t first) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  core::PointPairSums sums;
  if (i < points.size()) sums.first = core::multiply_split(points[i], scale.of(first + i));
  const Fp inverse = device::inverse_in_block<kLogThreads>(sums);
  curve::G1Affine none;
  if (i < points.size()) sums.finish(inverse, points[i], none);
}

}  // namespace

void transform_level_async(gpu::DeviceSpan<curve::G1Affine> points, const core::GroupLevel& level,
                           gpu::StreamRef stream) {
  level_kernel<<<grid(points.size() / 2), kThreads, 0, stream.handle()>>>(points, level);
  BELFRY_CUDA_CHECK_LAUNCH("msm.transform_level");
}

void scale_points_async(gpu::DeviceSpan<curve::G1Affine> points, const core::PointScale& scale,
                        std::uint64_t first, gpu::StreamRef stream) {
  if (points.size() == 0) return;
  scale_kernel<<<grid(points.size()), kThreads, 0, stream.handle()>>>(points, scale, first);
  BELFRY_CUDA_CHECK_LAUNCH("msm.scale_points");
}

}  // namespace belfry::msm
