#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "belfry/base/executor.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"

namespace belfry::gpu {

/// Copies pageable memory to the device through two page-locked buffers in turn: while one is on
/// its way, the executor's threads fill the other. So mapped files reach the speed of the bus.
///
/// Made at start-up. One thread and one stream at a time. Throws CudaError.
class StagedUpload {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{64} << 20;

  /// The executor outlives it.
  explicit StagedUpload(const Executor& executor);

  /// Queues the copy; sizes are equal. Returns when `from` has been read, not when it has arrived.
  template <class T>
  void copy(std::span<const T> from, DeviceSpan<T> to, StreamRef stream) {
    static_assert(std::is_trivially_copyable_v<T>, "device memory is moved as bytes");
    copy_bytes(std::as_bytes(from), {reinterpret_cast<std::byte*>(to.data()), from.size_bytes()},
               stream);
  }

 private:
  struct Buffer {
    PinnedBuffer<std::byte> memory{kBufferBytes};
    Event sent;
  };
  void copy_bytes(std::span<const std::byte> from, DeviceSpan<std::byte> to, StreamRef stream);

  const Executor& executor_;
  std::array<Buffer, 2> buffers_;
  std::size_t next_ = 0;
};

}  // namespace belfry::gpu
