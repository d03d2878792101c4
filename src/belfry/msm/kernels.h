#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/cpu.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/msm/pair_sum.h"

namespace belfry::msm {

[[nodiscard]] inline PointRef point_ref(const std::byte* stored, bool negative = false) noexcept {
  return {reinterpret_cast<std::uintptr_t>(stored) | static_cast<std::uintptr_t>(negative)};
}
[[nodiscard]] inline const std::byte* address(PointRef ref) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address was made from a pointer, in point_ref
  return reinterpret_cast<const std::byte*>(ref.bits & ~std::uintptr_t{1});
}
[[nodiscard]] inline bool is_negative(PointRef ref) noexcept { return (ref.bits & 1) != 0; }

/// The arithmetic on points for one instruction set. Each table stores points in a form of its own
/// (`stride` bytes each, aligned to 64 bytes if `stride` is a multiple of that); infinity is all
/// zeros in every form. Functions are thread-safe on separate memory.
template <class Curve>
struct PointKernels {
  using Affine = typename Curve::Affine;

  Isa isa;
  std::size_t stride;
  /// Scratch bytes of `add`, on a cache line, whatever the number of pairs.
  std::size_t scratch_bytes;

  /// n points from and to their portable form.
  void (*store)(const Affine* in, std::size_t n, std::byte* out);
  void (*load)(const std::byte* in, std::size_t n, Affine* out);
  /// n uncompressed encodings to stored form. False if one of them is no point of the curve; the
  /// caller then asks curve::decode_unchecked, which names the fault.
  bool (*decode)(const std::uint8_t* in, std::size_t n, std::byte* out);
  /// One point with its sign.
  void (*copy)(PointRef from, std::byte* to);
  /// All n sums, complete (equal, opposite and infinite operands), at 5M + 1S a pair and one
  /// inversion for each batch of 1000 to 2000. The outputs are distinct.
  void (*add)(const PairSum* pairs, std::size_t n, std::byte* scratch);
};

/// The table for `isa`, or for best_isa() if that is less.
template <class Curve>
[[nodiscard]] const PointKernels<Curve>& point_kernels(Isa isa) noexcept;

}  // namespace belfry::msm
