#include "belfry/gpu/staged_upload.h"

#include <algorithm>
#include <cstring>

namespace belfry::gpu {

StagedUpload::StagedUpload(const Executor& executor) : executor_(executor) {}

void StagedUpload::copy_bytes(std::span<const std::byte> from, DeviceSpan<std::byte> to,
                              StreamRef stream) {
  constexpr std::size_t kGrain = std::size_t{1} << 20;
  for (std::size_t at = 0; at < from.size();) {
    const std::size_t count = std::min(kBufferBytes, from.size() - at);
    Buffer& buffer = buffers_[next_];
    next_ = (next_ + 1) % buffers_.size();
    buffer.sent.synchronize();  // at once where nothing was sent yet
    const std::span<std::byte> room = buffer.memory.span().first(count);
    executor_.parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
      std::memcpy(room.data() + begin, from.data() + at + begin, end - begin);
    });
    upload_async<std::byte>(room, to.subspan(at, count), stream);
    buffer.sent.record(stream);
    at += count;
  }
}

}  // namespace belfry::gpu
