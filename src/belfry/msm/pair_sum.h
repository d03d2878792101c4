#pragma once

#include <cstddef>
#include <cstdint>

namespace belfry::msm {

/// A stored point (see kernels.h) and a sign, in one word. Plain data: vector kernels read it too.
struct PointRef {
  /// The address; bit 0 is set for the negative of the point (stored points are 8-byte aligned).
  std::uintptr_t bits = 0;
};

/// out = a + b. `out` may be the storage of a or of b, if no other pair of the batch reads it.
struct PairSum {
  PointRef a;
  PointRef b;
  std::byte* out = nullptr;
};

}  // namespace belfry::msm
