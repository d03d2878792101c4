#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/msm/fixed_base.h"
#include "belfry/msm/fixed_base_gpu.h"

namespace belfry::msm {
namespace {

constexpr unsigned kThreads = 256;

/// The pairs of one step, and their number.
__global__ void pairs_kernel(gpu::DeviceSpan<const Fr> scalars, unsigned step,
                             core::FixedBaseLayout layout, core::PointPair* pairs,
                             std::uint32_t* count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *count = static_cast<std::uint32_t>(scalars.size());
  if (i < scalars.size()) pairs[i] = core::fixed_base_pair(i, step, scalars[i], layout);
}

/// What the table multiplies the base by, place by place; zero for infinity.
std::vector<Fr> table_scalars(const core::FixedBaseLayout& layout) {
  std::vector<Fr> out{Fr::zero()};
  out.reserve(layout.sums());
  Fr unit = Fr::one();
  for (unsigned w = 0; w < layout.digits.windows; ++w) {
    Fr multiple = unit;
    for (std::uint32_t d = 0; d < layout.each_window(); ++d, multiple += unit) {
      out.push_back(multiple);
    }
    for (unsigned i = 0; i < layout.digits.window_bits; ++i) unit = unit.doubled();
  }
  return out;
}

}  // namespace

template <class Curve>
Result<DeviceFixedBase<Curve>> DeviceFixedBase<Curve>::take(std::uint32_t chunk,
                                                            const gpu::DeviceInfo& device,
                                                            gpu::Arena& arena) {
  constexpr std::uint32_t kMost = std::uint32_t{1} << 30;
  if (chunk == 0 || chunk >= kMost) {
    return fail(invalid("msm.fixed_base", "a chunk has one to 2^30 - 1 scalars"));
  }
  BELFRY_TRY(const auto adder, BatchAdder<Curve>::create(device.multiprocessors, arena));
  DeviceFixedBase out(adder);
  BELFRY_TRY(out.points_, arena.take<Affine>(out.layout_.sums() + chunk, "multiples"));
  BELFRY_TRY(out.pairs_, arena.take<core::PointPair>(chunk, "pairs"));
  BELFRY_TRY(out.count_, arena.take<std::uint32_t>(1, "count"));
  return out;
}

template <class Curve>
Result<DeviceFixedBase<Curve>> DeviceFixedBase<Curve>::create(
    const Affine& base, std::uint32_t chunk, const gpu::DeviceInfo& device, gpu::Arena& arena,
    const Executor& executor, gpu::StreamRef stream) {
  BELFRY_TRY(DeviceFixedBase out, take(chunk, device, arena));
  const std::vector<Fr> scalars = table_scalars(out.layout_);
  std::vector<Affine> table(scalars.size());
  BELFRY_CHECK(FixedBase<Curve>(base, scalars.size(), executor).multiply(scalars, table, executor));
  gpu::upload_async<Affine>(table, out.points_.subspan(0, table.size()), stream);
  gpu::wait_for(stream);
  return out;
}

template <class Curve>
void DeviceFixedBase<Curve>::multiply_async(gpu::DeviceSpan<const Fr> scalars,
                                            gpu::DeviceSpan<Affine> out,
                                            gpu::StreamRef stream) const {
  if (scalars.size() == 0) return;
  const auto blocks = static_cast<unsigned>((scalars.size() + kThreads - 1) / kThreads);
  for (unsigned step = 1; step < layout_.digits.windows; ++step) {
    pairs_kernel<<<blocks, kThreads, 0, stream.handle()>>>(scalars, step, layout_, pairs_.data(),
                                                           count_.data());
    BELFRY_CUDA_CHECK_LAUNCH("msm.fixed_base");
    const bool is_last = step + 1 == layout_.digits.windows;
    adder_.add_gathered_async(points_.data(), pairs_.data(), count_.data(),
                              is_last ? out.data() : points_.data() + layout_.sums(), stream);
  }
}

template class DeviceFixedBase<curve::G1>;
template class DeviceFixedBase<curve::G2>;

}  // namespace belfry::msm
