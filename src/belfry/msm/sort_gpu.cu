#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/sort_gpu.h"

namespace belfry::msm {
namespace {

constexpr int kKeyBits = 32;

cub::DoubleBuffer<std::uint32_t> double_buffer(const SortBuffers& buffers) {
  return {buffers.current.data(), buffers.other.data()};
}

}  // namespace

Result<DeviceSort> DeviceSort::create(std::uint64_t entries, std::uint64_t sums,
                                      gpu::Arena& arena) {
  cub::DoubleBuffer<std::uint32_t> none;
  std::size_t sort_bytes = 0;
  BELFRY_CUDA_TRY(
      cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, none, none, entries, 0, kKeyBits),
      "msm.sort_scratch");
  std::size_t sum_bytes = 0;
  std::uint32_t* const numbers = nullptr;
  BELFRY_CUDA_TRY(cub::DeviceScan::ExclusiveSum(nullptr, sum_bytes, numbers, sums),
                  "msm.sum_scratch");
  BELFRY_TRY(const auto scratch,
             arena.take<std::byte>(std::max(sort_bytes, sum_bytes), "sort scratch"));
  return DeviceSort(scratch);
}

void DeviceSort::sort_async(SortBuffers& keys, SortBuffers& values, std::uint64_t entries,
                            unsigned bits, gpu::StreamRef stream) const {
  auto key_buffer = double_buffer(keys);
  auto value_buffer = double_buffer(values);
  std::size_t bytes = scratch_.size();
  BELFRY_CUDA_TRY(
      cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, key_buffer, value_buffer, entries, 0,
                                      static_cast<int>(bits), stream.handle()),
      "msm.sort");
  if (key_buffer.selector != 0) std::swap(keys.current, keys.other);
  if (value_buffer.selector != 0) std::swap(values.current, values.other);
}

void DeviceSort::running_sums_async(gpu::DeviceSpan<std::uint32_t> numbers,
                                    gpu::StreamRef stream) const {
  std::size_t bytes = scratch_.size();
  BELFRY_CUDA_TRY(cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, numbers.data(),
                                                numbers.size(), stream.handle()),
                  "msm.running_sums");
}

}  // namespace belfry::msm
