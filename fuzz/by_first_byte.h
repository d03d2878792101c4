#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace belfry::fuzz {

/// A target of several small parsers: the first byte chooses the one that the others go to.
template <std::size_t N>
void by_first_byte(const std::array<void (*)(std::span<const std::uint8_t>), N>& parsers,
                   std::span<const std::uint8_t> input) {
  if (!input.empty()) parsers.at(input.front() % N)(input.subspan(1));
}

}  // namespace belfry::fuzz
