#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace belfry {

/// The number that a text is: decimal digits and nothing else, in the range of `T`. One number has
/// one text: leading zeros are refused, since what they mean differs from reader to reader.
template <std::unsigned_integral T>
[[nodiscard]] std::optional<T> parse_decimal(std::string_view text) noexcept {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  T number = 0;
  const auto [rest, code] = std::from_chars(text.begin(), text.end(), number);
  if (code != std::errc{} || rest != text.end()) return std::nullopt;
  return number;
}

}  // namespace belfry
