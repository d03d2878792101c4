#pragma once

#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/bucket_sums_gpu.h"

// BucketSums for any curve; instantiated by msm_g1.cu and msm_g2.cu.
namespace belfry::msm {
namespace device {

inline constexpr unsigned kThreads = 256;
/// Memory moves in pieces of this many bytes, so that neighbouring threads share a line.
inline constexpr unsigned kPiece = sizeof(uint4);

inline unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

/// sums[b] = the first slot of bucket b, where the tree left the sum; zero bytes for none.
template <class Affine>
__global__ void collect_kernel(const Affine* slots, const std::uint32_t* slot_begin,
                               std::uint32_t buckets, Affine* sums) {
  constexpr unsigned kPieces = sizeof(Affine) / kPiece;
  const std::uint64_t worker = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto b = static_cast<std::uint32_t>(worker / kPieces);
  const auto piece = static_cast<unsigned>(worker % kPieces);
  if (b >= buckets) return;
  const std::uint32_t slot = slot_begin[b];
  uint4 value = make_uint4(0, 0, 0, 0);
  if (slot_begin[b + 1] != slot) value = reinterpret_cast<const uint4*>(slots + slot)[piece];
  reinterpret_cast<uint4*>(sums + b)[piece] = value;
}

}  // namespace device

template <class Curve>
Result<BucketSums<Curve>> BucketSums<Curve>::create(const BucketLimits& limits,
                                                    unsigned multiprocessors, gpu::Arena& arena) {
  BELFRY_TRY(const auto adder, BatchAdder<Curve>::create(multiprocessors, arena));
  BELFRY_TRY(const auto lists, BucketLists::create(limits, arena));
  BucketSums out(adder, lists);
  BELFRY_TRY(out.slots_, arena.take<Affine>(lists.max_slots(), "slots"));
  return out;
}

template <class Curve>
void BucketSums<Curve>::accumulate_async(gpu::DeviceSpan<const Affine> points,
                                         gpu::DeviceSpan<Affine> sums,
                                         gpu::StreamRef stream) const {
  add_pairs_async(points, static_cast<std::uint32_t>(sums.size()), stream);
  add_levels_async(stream);
  collect_async(sums, stream);
}

template <class Curve>
void BucketSums<Curve>::add_pairs_async(gpu::DeviceSpan<const Affine> points, std::uint32_t buckets,
                                        gpu::StreamRef stream) const {
  adder_.add_gathered_async(points.data(), lists_.pairs(), lists_.slot_begin() + buckets,
                            slots_.data(), stream);
}

template <class Curve>
void BucketSums<Curve>::add_levels_async(gpu::StreamRef stream) const {
  for (unsigned level = 0; level < lists_.levels(); ++level) {
    adder_.add_slots_async(slots_.data(), lists_.list(level), std::uint32_t{1} << level,
                           lists_.list_size(level), stream);
  }
}

template <class Curve>
void BucketSums<Curve>::collect_async(gpu::DeviceSpan<Affine> sums, gpu::StreamRef stream) const {
  const auto buckets = static_cast<std::uint32_t>(sums.size());
  constexpr unsigned kPieces = sizeof(Affine) / device::kPiece;
  device::collect_kernel<<<device::grid(std::uint64_t{buckets} * kPieces), device::kThreads, 0,
                           stream.handle()>>>(slots_.data(), lists_.slot_begin(), buckets,
                                              sums.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.collect");
}

}  // namespace belfry::msm
