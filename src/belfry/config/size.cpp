#include "belfry/config/size.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace belfry::config {
namespace {

struct Unit {
  std::string_view name;
  unsigned shift;
};
constexpr std::array kUnits{Unit{"TiB", 40}, Unit{"GiB", 30}, Unit{"MiB", 20}, Unit{"KiB", 10},
                            Unit{"B", 0}};

tl::unexpected<Error> bad_size(std::string_view text) {
  return fail(Error{ErrorCode::kInvalidUsage, "config.size", "not a size"}.but(
      "a number and a unit such as 16GiB or 512MiB", std::string(text)));
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t count = 0;
  const auto [rest, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (code != std::errc{}) return bad_size(text);
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  for (const Unit& known : kUnits) {
    if (known.name != unit) continue;
    const std::uint64_t limit =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) >> known.shift;
    if (count > limit) return bad_size(text);
    return count << known.shift;
  }
  return bad_size(text);
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
