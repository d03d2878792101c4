#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/digits_gpu.h"

namespace belfry::msm {
namespace {

constexpr unsigned kThreads = 256;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

__global__ void prepare_kernel(gpu::DeviceSpan<const Fr> scalars, core::DigitPlan plan,
                               std::uint64_t* limbs) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < scalars.size()) core::store_prepared(i, scalars[i], plan, scalars.size(), limbs);
}

__global__ void entries_kernel(core::DigitPass pass, const std::uint64_t* limbs,
                               std::uint32_t* keys, std::uint32_t* values) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < pass.points) core::make_entry(blockIdx.y, i, pass, limbs, keys, values);
}

__global__ void pattern_entries_kernel(core::MaskView view, std::uint64_t points,
                                       std::uint32_t* keys, std::uint32_t* values) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < points) core::make_pattern_entry(i, view, keys, values);
}

}  // namespace

void prepare_scalars_async(gpu::DeviceSpan<const Fr> scalars, const core::DigitPlan& plan,
                           std::uint64_t* limbs, gpu::StreamRef stream) {
  prepare_kernel<<<grid(scalars.size()), kThreads, 0, stream.handle()>>>(scalars, plan, limbs);
  BELFRY_CUDA_CHECK_LAUNCH("msm.prepare");
}

void make_entries_async(const core::DigitPass& pass, const std::uint64_t* limbs,
                        std::uint32_t* keys, std::uint32_t* values, gpu::StreamRef stream) {
  entries_kernel<<<dim3(grid(pass.points), pass.windows()), kThreads, 0, stream.handle()>>>(
      pass, limbs, keys, values);
  BELFRY_CUDA_CHECK_LAUNCH("msm.entries");
}

void make_pattern_entries_async(const core::MaskView& view, std::uint64_t points,
                                std::uint32_t* keys, std::uint32_t* values, gpu::StreamRef stream) {
  pattern_entries_kernel<<<grid(points), kThreads, 0, stream.handle()>>>(view, points, keys,
                                                                         values);
  BELFRY_CUDA_CHECK_LAUNCH("msm.pattern_entries");
}

}  // namespace belfry::msm
