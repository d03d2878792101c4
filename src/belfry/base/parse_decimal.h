#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace belfry {

/// The number that a text is: decimal digits and nothing else, in the range of `T`.
template <std::unsigned_integral T>
[[nodiscard]] std::optional<T> parse_decimal(std::string_view text) noexcept {
  T number = 0;
  const auto [rest, code] = std::from_chars(text.begin(), text.end(), number);
  if (code != std::errc{} || rest != text.end()) return std::nullopt;
  return number;
}

}  // namespace belfry
