#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

namespace belfry::msm {

/// Two arrays, one of which holds the data; sorting moves them from one to the other.
struct SortBuffers {
  gpu::DeviceSpan<std::uint32_t> current;
  gpu::DeviceSpan<std::uint32_t> other;
};

/// Sorts (key, value) pairs by key and forms running sums, with CUB. Everything is queued; nothing
/// waits or allocates. Throws gpu::CudaError.
class DeviceSort {
 public:
  /// Scratch for `entries` pairs and running sums over `sums` numbers, from `arena`. Asks the
  /// device for its properties, so planning needs one too.
  [[nodiscard]] static Result<DeviceSort> create(std::uint64_t entries, std::uint64_t sums,
                                                 gpu::Arena& arena);

  /// Sorts the first `entries` pairs by the low `bits` bits of their keys; stable.
  void sort_async(SortBuffers& keys, SortBuffers& values, std::uint64_t entries, unsigned bits,
                  gpu::StreamRef stream) const;
  /// numbers[i] = Σ_{j < i} numbers[j], in place.
  void running_sums_async(gpu::DeviceSpan<std::uint32_t> numbers, gpu::StreamRef stream) const;

 private:
  explicit DeviceSort(gpu::DeviceSpan<std::byte> scratch) : scratch_(scratch) {}

  gpu::DeviceSpan<std::byte> scratch_;
};

}  // namespace belfry::msm
