#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace belfry::test {

/// The hex digits of 32 equal bytes.
inline std::string repeated(const std::string& byte) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += byte;
  return text;
}

/// The data of the vectors: shift 0 was sealed, shift 1 is the update.
inline std::string piece(std::uint32_t shift, std::size_t size = 2032) {
  std::string data;
  for (std::uint32_t i = 0; i < size; ++i) {
    data.push_back(static_cast<char>(((i + shift) * 2654435761U) >> 24U));
  }
  return data;
}

}  // namespace belfry::test
