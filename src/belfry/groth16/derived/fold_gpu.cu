#include "belfry/gpu/cuda_check.h"
#include "belfry/groth16/derived/fold_gpu.h"
#include "belfry/msm/point_pair_sums.cuh"

namespace belfry::groth16 {
namespace {

constexpr unsigned kLogThreads = 7;
constexpr unsigned kThreads = 1U << kLogThreads;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

/// out = the thread's sum, in affine form; all threads of the block take part.
__device__ void settle(const msm::core::PointPairSums& sums, curve::G1Affine* out) {
  const Fp inverse = msm::device::inverse_in_block<kLogThreads>(sums);
  curve::G1Affine none;
  if (out != nullptr) sums.finish(inverse, *out, none);
}

__global__ void __launch_bounds__(kThreads)
    segments_kernel(gpu::DeviceSpan<const core::FoldSegment> segments, core::FoldView view,
                    curve::G1Affine* sums) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  msm::core::PointPairSums out;
  if (i < segments.size()) out.first = core::fold_segment(segments[i], view);
  settle(out, i < segments.size() ? sums + i : nullptr);
}

__global__ void __launch_bounds__(kThreads)
    columns_kernel(const std::uint32_t* first_segment, const curve::G1Affine* sums,
                   gpu::DeviceSpan<curve::G1Affine> points) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  msm::core::PointPairSums out;
  if (i < points.size()) {
    out.first = core::fold_column(points[i], sums, first_segment[i], first_segment[i + 1]);
  }
  settle(out, i < points.size() ? points.data() + i : nullptr);
}

}  // namespace

void fold_segments_async(gpu::DeviceSpan<const core::FoldSegment> segments,
                         const core::FoldView& view, gpu::DeviceSpan<curve::G1Affine> sums,
                         gpu::StreamRef stream) {
  if (segments.size() == 0) return;
  segments_kernel<<<grid(segments.size()), kThreads, 0, stream.handle()>>>(segments, view,
                                                                           sums.data());
  BELFRY_CUDA_CHECK_LAUNCH("groth16.fold_segments");
}

void fold_columns_async(gpu::DeviceSpan<const std::uint32_t> first_segment,
                        gpu::DeviceSpan<const curve::G1Affine> sums,
                        gpu::DeviceSpan<curve::G1Affine> points, gpu::StreamRef stream) {
  if (points.size() == 0) return;
  columns_kernel<<<grid(points.size()), kThreads, 0, stream.handle()>>>(first_segment.data(),
                                                                        sums.data(), points);
  BELFRY_CUDA_CHECK_LAUNCH("groth16.fold_columns");
}

}  // namespace belfry::groth16
