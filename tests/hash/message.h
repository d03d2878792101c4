#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace belfry::test {

/// Bytes to hash, none like its neighbours.
inline std::vector<std::uint8_t> message(std::size_t size) {
  std::vector<std::uint8_t> out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(7 * i + 3);
  return out;
}

}  // namespace belfry::test
