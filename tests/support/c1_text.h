#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::test {

/// Standard base64 with padding.
inline std::string base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t n = std::min<std::size_t>(3, text.size() - i);
    for (std::size_t j = 0; j < 3; ++j) {
      bits = (bits << 8) | (j < n ? static_cast<unsigned char>(text[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) out += j <= n ? kDigits[(bits >> (18 - 6 * j)) & 63] : '=';
  }
  return out;
}

/// A C1 output in the Lotus/Curio wrapper.
inline std::string wrapped(std::string_view c1, std::string_view number, std::string_view size) {
  return R"({"SectorNum":)" + std::string(number) + R"(,"Phase1Out":")" + base64(c1) +
         R"(","SectorSize":)" + std::string(size) + "}";
}

}  // namespace belfry::test
