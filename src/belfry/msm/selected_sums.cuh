#pragma once

#include "belfry/msm/bit_sums.cuh"
#include "belfry/msm/bucket_sums.cuh"
#include "belfry/msm/digits_gpu.h"
#include "belfry/msm/selected_sums_gpu.h"

// DeviceSelectedSums for any curve; instantiated by msm_g1.cu and msm_g2.cu.
namespace belfry::msm {
namespace device {

/// Block m: the sum of the patterns with bit m.
template <class Curve>
__global__ void __launch_bounds__(kBitSumThreads)
    mask_sums_kernel(const curve::Affine<Curve>* sums, std::uint32_t patterns,
                     curve::Xyzz<Curve>* out) {
  sum_by_bit<Curve>(sums, 1, patterns, 1u << blockIdx.x, out + blockIdx.x);
}

}  // namespace device

template <class Curve>
Result<DeviceSelectedSums<Curve>> DeviceSelectedSums<Curve>::take(std::uint64_t points,
                                                                  unsigned masks,
                                                                  const gpu::DeviceInfo& device,
                                                                  gpu::Arena& arena) {
  if (masks == 0 || masks > core::kMaxMasks) {
    return fail(invalid("msm.selected_sums", "one to ten masks are possible"));
  }
  if (points >= core::kNegative - 1) {
    return fail(invalid("msm.selected_sums", "at most 2^31 - 2 points are possible"));
  }
  const std::uint32_t patterns = std::uint32_t{1} << masks;
  BELFRY_TRY(const auto buckets,
             BucketSums<Curve>::create({points, patterns, points}, device.multiprocessors, arena));
  DeviceSelectedSums out(points, masks, buckets);
  BELFRY_TRY(out.sums_, arena.take<Affine>(patterns, "pattern sums"));
  BELFRY_TRY(out.mask_sums_, arena.take<Xyzz>(masks, "mask sums"));
  return out;
}

template <class Curve>
Result<DeviceSelectedSums<Curve>> DeviceSelectedSums<Curve>::create(std::uint64_t points,
                                                                    unsigned masks,
                                                                    const gpu::DeviceInfo& device,
                                                                    gpu::Arena& arena) {
  BELFRY_TRY(auto out, take(points, masks, device, arena));
  out.result_.emplace(masks);
  return out;
}

template <class Curve>
void DeviceSelectedSums<Curve>::sum_async(gpu::DeviceSpan<const Affine> points,
                                          gpu::DeviceSpan<const std::uint64_t> words,
                                          gpu::StreamRef stream) {
  if (points_ == 0) return;
  const core::MaskView view{words.data(), words.size() / masks_, masks_};
  make_pattern_entries_async(view, points_, buckets_.lists().keys(), buckets_.lists().values(),
                             stream);
  buckets_.lists().build_async(points_, view.patterns(), stream);
  buckets_.accumulate_async(points, sums_, stream);
  device::mask_sums_kernel<Curve><<<masks_, device::kBitSumThreads, 0, stream.handle()>>>(
      sums_.data(), view.patterns(), mask_sums_.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.mask_sums");
  gpu::download_async<Xyzz>(mask_sums_, result_->span(), stream);
}

template <class Curve>
std::vector<typename Curve::Jacobian> DeviceSelectedSums<Curve>::result() const {
  std::vector<typename Curve::Jacobian> out(masks_, Curve::Jacobian::infinity());
  if (points_ == 0) return out;
  for (unsigned m = 0; m < masks_; ++m) out[m] = result_->span()[m].to_jacobian();
  return out;
}

}  // namespace belfry::msm
