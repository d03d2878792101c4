#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

namespace belfry::gpu {

/// The one allocation of device memory that a device worker makes, at start-up; everything else is
/// a sub-range of it (`Arena`). Freed at shut-down: both calls act on the whole device. Move-only.
class DeviceMemory {
 public:
  /// kResourceExhausted, with needed and free bytes, when the card does not have it.
  [[nodiscard]] static Result<DeviceMemory> allocate(std::uint64_t bytes);

  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return bytes_; }

 private:
  DeviceMemory(std::byte* data, std::uint64_t bytes) noexcept : data_(data), bytes_(bytes) {}

  std::byte* data_;
  std::uint64_t bytes_;
};

/// Page-locked host memory for `size` elements, so that copies run beside compute. Allocated at
/// start-up only. Move-only. Throws CudaError.
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory is moved as bytes");

 public:
  explicit PinnedBuffer(std::size_t size) : size_(size) {
    void* data = nullptr;
    if (size != 0) {
      BELFRY_CUDA_TRY(cudaHostAlloc(&data, size * sizeof(T), cudaHostAllocDefault), "gpu.pinned");
    }
    data_ = static_cast<T*>(data);
  }
  ~PinnedBuffer() {
    if (data_ != nullptr) (void)cudaFreeHost(data_);
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&&) = delete;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// Queues a copy to the device; sizes are equal. `from` stays valid until the stream passes.
template <class T>
void upload_async(std::span<const T> from, DeviceSpan<T> to, StreamRef stream) {
  static_assert(std::is_trivially_copyable_v<T>);
  BELFRY_CUDA_TRY(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice,
                                  stream.handle()),
                  "gpu.upload");
}
/// Queues a copy to the host; sizes are equal. `to` is ready when the stream has passed.
template <class T>
void download_async(DeviceSpan<const T> from, std::span<T> to, StreamRef stream) {
  static_assert(std::is_trivially_copyable_v<T>);
  BELFRY_CUDA_TRY(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyDeviceToHost,
                                  stream.handle()),
                  "gpu.download");
}

}  // namespace belfry::gpu
