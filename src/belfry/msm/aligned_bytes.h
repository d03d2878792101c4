#pragma once

#include <cstddef>
#include <memory>

namespace belfry::msm {

/// Gives memory back that was taken with this alignment.
struct AlignedRelease {
  std::size_t alignment = 0;
  void operator()(std::byte* bytes) const noexcept;
};

/// Bytes on cache lines, not initialised. Large ones ask for huge pages: points are gathered at
/// random from them, and with small pages every access would walk the page table. Move-only.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size);

  [[nodiscard]] std::size_t size() const noexcept { return bytes_ == nullptr ? 0 : size_; }
  [[nodiscard]] std::byte* data() noexcept { return bytes_.get(); }
  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.get(); }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<std::byte, AlignedRelease> bytes_;
};

}  // namespace belfry::msm
