#include <algorithm>
#include <bit>

#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/bucket_lists_gpu.h"

namespace belfry::msm {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kListThreads = 512;
constexpr unsigned kEntriesPerThread = 8;
constexpr unsigned kEntriesPerBlock = kListThreads * kEntriesPerThread;

unsigned grid(std::uint64_t workers, unsigned threads = kThreads) {
  return static_cast<unsigned>((workers + threads - 1) / threads);
}

/// begin[b] = the first entry of bucket b, for b <= buckets.
__global__ void entry_begin_kernel(const std::uint32_t* keys, std::uint32_t entries,
                                   std::uint32_t buckets, std::uint32_t* begin) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b <= buckets) begin[b] = core::entries_below(b, keys, entries);
}

/// counts[b] = slots of bucket b, and 0 for b = buckets. Empties the lists as well.
__global__ void slot_count_kernel(const std::uint32_t* entry_begin, std::uint32_t buckets,
                                  std::uint32_t* counts, std::uint32_t* list_sizes) {
  const std::uint32_t b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < BucketLists::kMaxLevels) list_sizes[b] = 0;
  if (b > buckets) return;
  counts[b] = b < buckets ? core::slots_for(entry_begin[b + 1] - entry_begin[b]) : 0;
}

struct LevelLists {
  std::uint32_t* items;
  std::uint32_t* sizes;
  std::uint64_t begin[BucketLists::kMaxLevels];  ///< of each level's list in items
};

/// The sum of `count` over the threads before this one; `total` becomes that over all.
__device__ std::uint32_t sum_of_earlier(std::uint32_t count, std::uint32_t* warp_sums,
                                        std::uint32_t& total) {
  constexpr unsigned kWarpSize = 32;
  constexpr unsigned kWarps = kListThreads / kWarpSize;
  constexpr unsigned kWholeWarp = 0xffffffff;
  const unsigned lane = threadIdx.x % kWarpSize;
  std::uint32_t inclusive = count;
#pragma unroll
  for (unsigned distance = 1; distance < kWarpSize; distance *= 2) {
    const std::uint32_t earlier = __shfl_up_sync(kWholeWarp, inclusive, distance);
    if (lane >= distance) inclusive += earlier;
  }
  if (lane == kWarpSize - 1) warp_sums[threadIdx.x / kWarpSize] = inclusive;
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
#pragma unroll
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    const std::uint32_t sum = warp_sums[warp];
    if (warp < threadIdx.x / kWarpSize) before += sum;
    total += sum;
  }
  return before + inclusive - count;
}

/// Writes the pairs of the first level and appends every slot to the lists of its levels, a block's
/// slots in ascending order. Blocks come in any order; the sums do not depend on it.
__global__ void __launch_bounds__(kListThreads)
    place_kernel(core::BucketView view, std::uint64_t entries, core::PointPair* pairs,
                 LevelLists lists) {
  __shared__ std::uint32_t warp_sums[2][kListThreads / 32];
  __shared__ std::uint32_t first_place[2];
  const std::uint64_t first =
      (std::uint64_t{blockIdx.x} * kListThreads + threadIdx.x) * kEntriesPerThread;
  std::uint32_t slots[kEntriesPerThread];
  unsigned heights[kEntriesPerThread];
#pragma unroll
  for (unsigned k = 0; k < kEntriesPerThread; ++k) {
    core::Placement placement;
    if (first + k < entries && core::place_entry(first + k, view, placement)) {
      pairs[placement.slot] = placement.pair;
    }
    slots[k] = placement.slot;
    heights[k] = placement.height;
  }
  for (unsigned level = 0; level < BucketLists::kMaxLevels; ++level) {
    const unsigned turn = level % 2;  // so that one barrier separates a level from the next
    std::uint32_t count = 0;
#pragma unroll
    for (unsigned k = 0; k < kEntriesPerThread; ++k) count += heights[k] > level ? 1 : 0;
    std::uint32_t total = 0;
    std::uint32_t place = sum_of_earlier(count, warp_sums[turn], total);
    if (total == 0) return;  // nor on any higher level
    if (threadIdx.x == 0) first_place[turn] = atomicAdd(&lists.sizes[level], total);
    __syncthreads();
    place += first_place[turn];
#pragma unroll
    for (unsigned k = 0; k < kEntriesPerThread; ++k) {
      if (heights[k] > level) lists.items[lists.begin[level] + place++] = slots[k];
    }
  }
}

}  // namespace

Result<BucketLists> BucketLists::create(const BucketLimits& limits, gpu::Arena& arena) {
  const std::uint64_t bounds = std::uint64_t{limits.buckets} + 1;
  BELFRY_TRY(const auto sort, DeviceSort::create(limits.entries, bounds, arena));
  BucketLists out(sort);
  for (SortBuffers* buffers : {&out.keys_, &out.values_}) {
    BELFRY_TRY(buffers->current, arena.take<std::uint32_t>(limits.entries, "entries"));
    BELFRY_TRY(buffers->other, arena.take<std::uint32_t>(limits.entries, "entries"));
  }
  const std::uint64_t slots = core::max_slots(limits.entries, limits.buckets);
  BELFRY_TRY(out.entry_begin_, arena.take<std::uint32_t>(bounds, "bucket bounds"));
  BELFRY_TRY(out.slot_begin_, arena.take<std::uint32_t>(bounds, "bucket bounds"));
  BELFRY_TRY(out.pairs_, arena.take<core::PointPair>(slots, "pairs"));
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

void BucketLists::build_async(std::uint64_t entries, std::uint32_t buckets, gpu::StreamRef stream) {
  sort_.sort_async(keys_, values_, entries, static_cast<unsigned>(std::bit_width(buckets)), stream);
  const unsigned bound_grid = grid(std::uint64_t{buckets} + 1);
  entry_begin_kernel<<<bound_grid, kThreads, 0, stream.handle()>>>(
      keys_.current.data(), static_cast<std::uint32_t>(entries), buckets, entry_begin_.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.entry_begin");
  slot_count_kernel<<<bound_grid, kThreads, 0, stream.handle()>>>(
      entry_begin_.data(), buckets, slot_begin_.data(), list_sizes_.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.slot_count");
  sort_.running_sums_async(slot_begin_.subspan(0, std::size_t{buckets} + 1), stream);
  LevelLists lists{lists_.data(), list_sizes_.data(), {}};
  std::copy(list_begin_.begin(), list_begin_.end(), lists.begin);
  place_kernel<<<grid(entries, kEntriesPerBlock), kListThreads, 0, stream.handle()>>>(
      core::BucketView{keys_.current.data(), values_.current.data(), entry_begin_.data(),
                       slot_begin_.data(), buckets},
      entries, pairs_.data(), lists);
  BELFRY_CUDA_CHECK_LAUNCH("msm.place");
}

}  // namespace belfry::msm
