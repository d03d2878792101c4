#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"

// Sums of selected points for several masks at once. The bits that the masks have for a point form
// a number, its pattern; points are summed by pattern, one addition a point whatever the number of
// masks, and mask m's sum is that of the patterns with bit m.
namespace belfry::msm::core {

inline constexpr unsigned kMaxMasks = 10;

/// Several bit vectors of one length: bit i of mask m is bit i % 64 of words[m·stride + i / 64].
struct MaskView {
  const std::uint64_t* words;  // (masks, stride)
  std::size_t stride;
  unsigned masks;  ///< at most kMaxMasks

  [[nodiscard]] BELFRY_HD constexpr std::uint32_t patterns() const noexcept {
    return std::uint32_t{1} << masks;
  }
};

/// Worker i: the entry of point i, with the number of patterns as its key if no mask selects it.
BELFRY_HD constexpr void make_pattern_entry(std::size_t i, const MaskView& view,
                                            std::uint32_t* keys, std::uint32_t* values) noexcept {
  constexpr unsigned kWordBits = 64;
  std::uint32_t pattern = 0;
  for (unsigned m = 0; m < view.masks; ++m) {
    const std::uint64_t word = view.words[m * view.stride + i / kWordBits];
    pattern |= static_cast<std::uint32_t>((word >> (i % kWordBits)) & 1) << m;
  }
  keys[i] = pattern == 0 ? view.patterns() : pattern;
  values[i] = static_cast<std::uint32_t>(i);
}

}  // namespace belfry::msm::core
