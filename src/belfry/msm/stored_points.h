#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/msm/kernels.h"
#include "belfry/msm/point_source.h"

namespace belfry::msm {

/// Bytes on cache lines, not initialised. Move-only.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size)
      : lines_(std::make_unique_for_overwrite<Line[]>((size + sizeof(Line) - 1) / sizeof(Line))) {}

  [[nodiscard]] std::byte* data() noexcept { return lines_ ? lines_[0].bytes : nullptr; }
  [[nodiscard]] const std::byte* data() const noexcept {
    return lines_ ? lines_[0].bytes : nullptr;
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::unique_ptr<Line[]> lines_;
};

/// Writes points begin ... begin + count - 1 of some sequence to `out` in stored form. Called from
/// several threads at once.
using Fetch = std::function<Result<void>(std::size_t begin, std::size_t count, std::byte* out)>;

/// The points of a source in order. Kernels and source outlive it.
template <class Curve>
[[nodiscard]] Fetch fetch_all(const PointKernels<Curve>& kernels, const PointSource<Curve>& source);
/// The points source[indices[i]]; indices are below source.size().
template <class Curve>
[[nodiscard]] Fetch fetch_indexed(const PointKernels<Curve>& kernels,
                                  const PointSource<Curve>& source,
                                  std::span<const std::uint32_t> indices);

/// A chunk of a sequence in memory, in the stored form of the kernels.
template <class Curve>
class StoredPoints {
 public:
  StoredPoints(const PointKernels<Curve>& kernels, std::size_t capacity)
      : stride_(kernels.stride), bytes_(capacity * kernels.stride) {}

  [[nodiscard]] PointRef ref(std::size_t i, bool negative = false) const noexcept {
    return point_ref(bytes_.data() + i * stride_, negative);
  }
  [[nodiscard]] std::byte* at(std::size_t i) noexcept { return bytes_.data() + i * stride_; }

  /// Fills places 0 ... count - 1 with points begin ..., blocks in parallel.
  [[nodiscard]] Result<void> fill(const Fetch& fetch, std::size_t begin, std::size_t count,
                                  const Executor& executor);

 private:
  std::size_t stride_;
  AlignedBytes bytes_;
};

}  // namespace belfry::msm
