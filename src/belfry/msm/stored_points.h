#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/msm/aligned_bytes.h"
#include "belfry/msm/kernels.h"
#include "belfry/msm/point_source.h"

namespace belfry::msm {

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
