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

/// Writes the pairs of the first level and appends every slot to the lists of its levels. The order
/// within a list varies from run to run; the sums do not depend on it.
__global__ void __launch_bounds__(kListThreads)
    place_kernel(core::BucketView view, std::uint64_t entries, core::PointPair* pairs,
                 LevelLists lists) {
  __shared__ std::uint32_t counts[BucketLists::kMaxLevels];
  __shared__ std::uint32_t places[BucketLists::kMaxLevels];
  if (threadIdx.x < BucketLists::kMaxLevels) counts[threadIdx.x] = 0;
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
  if (threadIdx.x < BucketLists::kMaxLevels && counts[threadIdx.x] != 0) {
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
