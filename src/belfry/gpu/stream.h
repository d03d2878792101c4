#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "belfry/gpu/cuda_check.h"

namespace belfry::gpu {

/// A stream that someone else owns. Passed by value; never null, never the default stream.
class StreamRef {
 public:
  explicit StreamRef(cudaStream_t handle) noexcept : handle_(handle) {}
  StreamRef(std::nullptr_t) = delete;

  [[nodiscard]] cudaStream_t handle() const noexcept { return handle_; }

 private:
  cudaStream_t handle_;
};

/// Owns one non-blocking stream of the current device. Move-only: one stream, one owner. Made at
/// start-up; destruction does not wait.
class Stream {
 public:
  Stream() {
    BELFRY_CUDA_TRY(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "gpu.stream");
  }
  ~Stream() {
    if (handle_ != nullptr) (void)cudaStreamDestroy(handle_);
  }
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // NOLINTNEXTLINE(google-explicit-constructor): an owner lends its view freely
  operator StreamRef() const noexcept { return StreamRef(handle_); }

  /// Blocks until all work queued on this stream is done. Throws CudaError.
  void synchronize() const { BELFRY_CUDA_TRY(cudaStreamSynchronize(handle_), "gpu.stream"); }

 private:
  cudaStream_t handle_ = nullptr;
};

/// A point in a stream's work that other streams, or the host, wait for. Move-only.
class Event {
 public:
  enum class Timing : bool { kOff, kOn };

  explicit Event(Timing timing = Timing::kOff) {
    const unsigned flags = timing == Timing::kOn ? cudaEventDefault : cudaEventDisableTiming;
    BELFRY_CUDA_TRY(cudaEventCreateWithFlags(&handle_, flags), "gpu.event");
  }
  ~Event() {
    if (handle_ != nullptr) (void)cudaEventDestroy(handle_);
  }
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Marks everything queued on `stream` so far.
  void record(StreamRef stream) {
    BELFRY_CUDA_TRY(cudaEventRecord(handle_, stream.handle()), "gpu.event");
  }
  /// Work queued on `stream` from now on starts after the mark. Does not block the host.
  void order_before(StreamRef stream) const {
    BELFRY_CUDA_TRY(cudaStreamWaitEvent(stream.handle(), handle_, 0), "gpu.event");
  }
  /// Blocks the host until the mark is reached.
  void synchronize() const { BELFRY_CUDA_TRY(cudaEventSynchronize(handle_), "gpu.event"); }
  /// Milliseconds from `begin` to this; both have timing and have been reached.
  [[nodiscard]] double milliseconds_since(const Event& begin) const {
    float ms = 0;
    BELFRY_CUDA_TRY(cudaEventElapsedTime(&ms, begin.handle_, handle_), "gpu.event");
    return ms;
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

}  // namespace belfry::gpu
