#pragma once

#include <cstdint>
#include <span>

namespace belfry::groth16 {

inline constexpr unsigned kWordBits = 64;

/// Bit i of a bitmap, lowest bit of the first word first.
[[nodiscard]] constexpr bool test_bit(std::span<const std::uint64_t> bits,
                                      std::uint64_t i) noexcept {
  return ((bits[i / kWordBits] >> (i % kWordBits)) & 1) != 0;
}

}  // namespace belfry::groth16
