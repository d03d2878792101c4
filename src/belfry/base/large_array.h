#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "belfry/base/error.h"

namespace belfry {

/// Memory of some hundred megabytes, straight from the kernel: zero bytes, in huge pages where it
/// grants them. A page is fetched by whoever touches it first, so workers share that work, where a
/// vector would be filled by one thread. Move-only.
class LargePages {
 public:
  LargePages() = default;
  /// kResourceExhausted if the address space or the commit limit does not suffice.
  [[nodiscard]] static Result<LargePages> allocate(std::size_t bytes);

  LargePages(LargePages&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  LargePages& operator=(LargePages&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  LargePages(const LargePages&) = delete;
  LargePages& operator=(const LargePages&) = delete;
  ~LargePages();

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

 private:
  explicit LargePages(std::span<std::byte> bytes) noexcept : bytes_(bytes) {}
  std::span<std::byte> bytes_;
};

/// A fixed number of elements in LargePages, all of zero bytes at first. For types that zero bytes
/// are a value of, and that need no destructor. Move-only; as thread-safe as an array.
template <class T>
class LargeArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  [[nodiscard]] static Result<LargeArray> create(std::size_t size) {
    BELFRY_TRY(LargePages pages, LargePages::allocate(size * sizeof(T)));
    return LargeArray(std::move(pages), size);
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() noexcept { return reinterpret_cast<T*>(pages_.bytes().data()); }
  [[nodiscard]] const T* data() const noexcept {
    return reinterpret_cast<const T*>(pages_.bytes().data());
  }
  [[nodiscard]] std::span<T> span() noexcept { return {data(), size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size_}; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }

 private:
  LargeArray(LargePages pages, std::size_t size) : pages_(std::move(pages)), size_(size) {}

  LargePages pages_;
  std::size_t size_ = 0;
};

}  // namespace belfry
