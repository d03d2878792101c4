#pragma once

#include <bit>

#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/bucket_sums_gpu.h"

// BucketSums for any curve; instantiated by msm_g1.cu and msm_g2.cu.
namespace belfry::msm {
namespace device {

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kListThreads = 512;
inline constexpr unsigned kEntriesPerThread = 8;
inline constexpr unsigned kEntriesPerBlock = kListThreads * kEntriesPerThread;
inline constexpr unsigned kMaxListLevels = 32;
/// Memory moves in pieces of this many bytes, so that neighbouring threads share a line.
inline constexpr unsigned kPiece = sizeof(uint4);

inline unsigned grid(std::uint64_t workers, unsigned threads = kThreads) {
  return static_cast<unsigned>((workers + threads - 1) / threads);
}

/// begin[b] = the first entry of bucket b, for b <= buckets.
inline __global__ void entry_begin_kernel(const std::uint32_t* keys, std::uint32_t entries,
                                          std::uint32_t buckets, std::uint32_t* begin) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b <= buckets) begin[b] = core::entries_below(b, keys, entries);
}

/// counts[b] = slots of bucket b, and 0 for b = buckets. Empties the lists as well.
inline __global__ void slot_count_kernel(const std::uint32_t* entry_begin, std::uint32_t buckets,
                                         std::uint32_t* counts, std::uint32_t* list_sizes) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < kMaxListLevels) list_sizes[b] = 0;
  if (b > buckets) return;
  counts[b] = b < buckets ? core::slots_for(entry_begin[b + 1] - entry_begin[b]) : 0;
}

struct LevelLists {
  std::uint32_t* items;
  std::uint32_t* sizes;
  std::uint64_t begin[kMaxListLevels];  ///< of each level's list in items
};

/// Writes the pairs of the first level and appends every slot to the lists of its levels. The order
/// within a list varies from run to run; the sums do not depend on it.
inline __global__ void __launch_bounds__(kListThreads)
    place_kernel(core::BucketView view, std::uint64_t entries, core::PointPair* pairs,
                 LevelLists lists) {
  __shared__ std::uint32_t counts[kMaxListLevels];
  __shared__ std::uint32_t places[kMaxListLevels];
  if (threadIdx.x < kMaxListLevels) counts[threadIdx.x] = 0;
  __syncthreads();
  std::uint32_t slots[kEntriesPerThread];
  unsigned heights[kEntriesPerThread];
#pragma unroll
  for (unsigned k = 0; k < kEntriesPerThread; ++k) {
    const std::uint64_t i =
        std::uint64_t{blockIdx.x} * kEntriesPerBlock + k * kListThreads + threadIdx.x;
    core::Placement placement;
    if (i < entries && core::place_entry(i, view, placement)) {
      pairs[placement.slot] = placement.pair;
    }
    slots[k] = placement.slot;
    heights[k] = placement.height;
    for (unsigned level = 0; level < heights[k]; ++level) atomicAdd(&counts[level], 1);
  }
  __syncthreads();
  if (threadIdx.x < kMaxListLevels && counts[threadIdx.x] != 0) {
    places[threadIdx.x] = atomicAdd(&lists.sizes[threadIdx.x], counts[threadIdx.x]);
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kEntriesPerThread; ++k) {
    for (unsigned level = 0; level < heights[k]; ++level) {
      lists.items[lists.begin[level] + atomicAdd(&places[level], 1)] = slots[k];
    }
  }
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
  const std::uint64_t slots = core::max_slots(limits.entries, limits.buckets);
  BELFRY_TRY(const auto adder, BatchAdder<Curve>::create(multiprocessors, arena));
  BELFRY_TRY(const auto sort,
             DeviceSort::create(limits.entries, std::uint64_t{limits.buckets} + 1, arena));
  BucketSums out(adder, sort);
  for (SortBuffers* buffers : {&out.keys_, &out.values_}) {
    BELFRY_TRY(buffers->current, arena.take<std::uint32_t>(limits.entries, "entries"));
    BELFRY_TRY(buffers->other, arena.take<std::uint32_t>(limits.entries, "entries"));
  }
  const std::uint64_t bounds = std::uint64_t{limits.buckets} + 1;
  BELFRY_TRY(out.entry_begin_, arena.take<std::uint32_t>(bounds, "bucket bounds"));
  BELFRY_TRY(out.slot_begin_, arena.take<std::uint32_t>(bounds, "bucket bounds"));
  BELFRY_TRY(out.pairs_, arena.take<core::PointPair>(slots, "pairs"));
  BELFRY_TRY(out.slots_, arena.take<Affine>(slots, "slots"));
  BELFRY_TRY(out.list_sizes_, arena.take<std::uint32_t>(kMaxLevels, "list sizes"));
  // A bucket of t slots takes ceil(log2 t) levels.
  const std::uint64_t tallest = limits.largest_bucket / 2 + limits.largest_bucket % 2;
  out.levels_ = tallest < 2 ? 0 : static_cast<unsigned>(std::bit_width(tallest - 1));
  std::uint64_t total = 0;
  for (unsigned level = 0; level < out.levels_; ++level) {
    out.list_begin_[level] = total;
    total += core::max_list(slots, level);
  }
  BELFRY_TRY(out.lists_, arena.take<std::uint32_t>(total, "lists of slots"));
  return out;
}

template <class Curve>
void BucketSums<Curve>::accumulate_async(gpu::DeviceSpan<const Affine> points,
                                         std::uint64_t entries, gpu::DeviceSpan<Affine> sums,
                                         gpu::StreamRef stream) {
  const auto buckets = static_cast<std::uint32_t>(sums.size());
  sort_.sort_async(keys_, values_, entries, static_cast<unsigned>(std::bit_width(buckets)), stream);
  const unsigned bound_grid = device::grid(std::uint64_t{buckets} + 1);
  device::entry_begin_kernel<<<bound_grid, device::kThreads, 0, stream.handle()>>>(
      keys_.current.data(), static_cast<std::uint32_t>(entries), buckets, entry_begin_.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.entry_begin");
  device::slot_count_kernel<<<bound_grid, device::kThreads, 0, stream.handle()>>>(
      entry_begin_.data(), buckets, slot_begin_.data(), list_sizes_.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.slot_count");
  sort_.running_sums_async(slot_begin_.subspan(0, sums.size() + 1), stream);
  device::LevelLists lists{lists_.data(), list_sizes_.data(), {}};
  std::copy(list_begin_.begin(), list_begin_.end(), lists.begin);
  device::place_kernel<<<device::grid(entries, device::kEntriesPerBlock), device::kListThreads, 0,
                         stream.handle()>>>(
      core::BucketView{keys_.current.data(), values_.current.data(), entry_begin_.data(),
                       slot_begin_.data(), buckets},
      entries, pairs_.data(), lists);
  BELFRY_CUDA_CHECK_LAUNCH("msm.place");

  adder_.add_gathered_async(points.data(), pairs_.data(), slot_begin_.data() + buckets,
                            slots_.data(), stream);
  for (unsigned level = 0; level < levels_; ++level) {
    adder_.add_slots_async(slots_.data(), lists_.data() + list_begin_[level],
                           std::uint32_t{1} << level, list_sizes_.data() + level, stream);
  }
  constexpr unsigned kPieces = sizeof(Affine) / device::kPiece;
  device::collect_kernel<<<device::grid(std::uint64_t{buckets} * kPieces), device::kThreads, 0,
                           stream.handle()>>>(slots_.data(), slot_begin_.data(), buckets,
                                              sums.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.collect");
}

}  // namespace belfry::msm
