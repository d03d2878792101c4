#pragma once

#include <cstddef>
#include <type_traits>

#include "belfry/base/platform.h"

namespace belfry::gpu {

/// A view of `size` elements in device memory. Owns nothing. Unlike `std::span` it can not be
/// dereferenced by host code, so a device address never looks like a host one.
template <class T>
class DeviceSpan {
 public:
  constexpr DeviceSpan() noexcept = default;
  BELFRY_HD constexpr DeviceSpan(T* data, std::size_t size) noexcept : data_(data), size_(size) {}

  /// Adds const, never removes it.
  template <class U>
    requires std::is_same_v<const U, T>
  // NOLINTNEXTLINE(google-explicit-constructor): widening to const is meant to be silent
  BELFRY_HD constexpr DeviceSpan(DeviceSpan<U> other) noexcept
      : data_(other.data()), size_(other.size()) {}

  [[nodiscard]] BELFRY_HD constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] BELFRY_HD constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] BELFRY_HD constexpr std::size_t size_bytes() const noexcept {
    return size_ * sizeof(T);
  }
  /// Elements [offset, offset + count); both lie inside.
  [[nodiscard]] BELFRY_HD constexpr DeviceSpan subspan(std::size_t offset,
                                                       std::size_t count) const noexcept {
    return {data_ + offset, count};
  }

#ifdef __CUDACC__
  __device__ T& operator[](std::size_t i) const noexcept { return data_[i]; }
#endif

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace belfry::gpu
