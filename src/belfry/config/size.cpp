#include "belfry/config/size.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/base/parse_decimal.h"

namespace belfry::config {
namespace {

struct Unit {
  std::string_view name;
  unsigned shift;
};
constexpr std::array kUnits{Unit{"TiB", 40}, Unit{"GiB", 30}, Unit{"MiB", 20}, Unit{"KiB", 10},
                            Unit{"B", 0}};

Error bad_size(std::string_view message, std::string expected, std::string_view text) {
  return Error{ErrorCode::kInvalidUsage, "config.size", std::string(message)}.but(
      std::move(expected), std::string(text));
}

/// Digits and the unit behind them.
Result<std::uint64_t> parse_in(const Unit& unit, std::string_view text) {
  const std::string_view digits = text.substr(0, text.size() - unit.name.size());
  const bool are_digits =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!are_digits || (digits.size() > 1 && digits.front() == '0')) {
    return fail(bad_size("not a size",
                         "a whole number without leading zeros and a unit, such as 16GiB", text));
  }
  const std::uint64_t limit =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) >> unit.shift;
  const auto count = parse_decimal<std::uint64_t>(digits);
  if (count && *count <= limit) return *count << unit.shift;
  return fail(
      bad_size("the size is too large", fmt::format("at most {}{}", limit, unit.name), text));
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  // "B" ends all of them and stands last.
  for (const Unit& unit : kUnits) {
    if (text.ends_with(unit.name)) return parse_in(unit, text);
  }
  return fail(bad_size("not a size", "a number and a unit: B, KiB, MiB, GiB or TiB", text));
}

std::string format_size(std::uint64_t bytes) {
  for (const Unit& unit : kUnits) {
    const std::uint64_t count = bytes >> unit.shift;
    if (count != 0 && count << unit.shift == bytes) return fmt::format("{}{}", count, unit.name);
  }
  return "0B";
}

std::string approximate_size(std::uint64_t bytes) {
  for (const Unit& unit : kUnits) {
    if (unit.shift == 0 || bytes >> unit.shift == 0) continue;
    const double scale = static_cast<double>(std::uint64_t{1} << unit.shift);
    return fmt::format("{:.2f} {}", static_cast<double>(bytes) / scale, unit.name);
  }
  return fmt::format("{} B", bytes);
}

}  // namespace belfry::config
