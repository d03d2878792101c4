#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/gpu/device_span.h"

namespace belfry::gpu {

/// Hands out sub-ranges of one region of device memory, first to last, and takes them back in the
/// opposite order. Pure address arithmetic: it touches no memory and calls no driver, so the same
/// code that runs a stage also plans it, on an arena that has a size but no memory behind it.
///
/// Every range starts at a multiple of 256 bytes, as CUDA allocations do. Not thread-safe: one
/// arena a lane. Running out is a value, kResourceExhausted with needed and allowed bytes.
class Arena {
 public:
  static constexpr std::uint64_t kAlignment = 256;

  /// A region of `bytes` from `base`, which is aligned to kAlignment and outlives the arena.
  Arena(std::byte* base, std::uint64_t bytes) noexcept
      : base_(reinterpret_cast<std::uintptr_t>(base)), bytes_(bytes) {}
  /// For planning: spans that it hands out have a size and must not be used.
  [[nodiscard]] static Arena for_plan(std::uint64_t bytes) noexcept {
    return Arena(nullptr, bytes);
  }
  /// For measuring what a stage would like: a region without a limit.
  [[nodiscard]] static Arena unlimited() noexcept {
    return for_plan(std::numeric_limits<std::uint64_t>::max() / 2);
  }

  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) = delete;
  ~Arena() = default;

  /// The next `count` elements; `what` names them in the error.
  template <class T>
  [[nodiscard]] Result<DeviceSpan<T>> take(std::uint64_t count, std::string_view what) {
    if (count > bytes_ / sizeof(T)) return fail(exhausted(count * sizeof(T), what));
    const std::uint64_t end = used_ + round_up(count * sizeof(T));
    if (end > bytes_) return fail(exhausted(end, what));
    auto* const data = reinterpret_cast<T*>(base_ + used_);
    used_ = end;
    peak_ = std::max(peak_, used_);
    return DeviceSpan<T>(data, count);
  }

  [[nodiscard]] std::uint64_t used_bytes() const noexcept { return used_; }
  /// The most that was in use at once since construction.
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept { return peak_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return bytes_; }

  /// Gives back, when it dies, everything taken since it was made. Scopes nest. Work queued on
  /// streams must be ordered before whoever takes the range next: the caller's events see to it.
  class Scope {
   public:
    explicit Scope(Arena& arena) noexcept : arena_(arena), mark_(arena.used_) {}
    ~Scope() { arena_.used_ = mark_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Arena& arena_;
    std::uint64_t mark_;
  };

 private:
  [[nodiscard]] static constexpr std::uint64_t round_up(std::uint64_t bytes) noexcept {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  [[nodiscard]] Error exhausted(std::uint64_t needed, std::string_view what) const;

  std::uintptr_t base_;
  std::uint64_t bytes_;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace belfry::gpu
