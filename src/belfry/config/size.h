#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "belfry/base/error.h"

namespace belfry::config {

/// A size as people write it: digits and one of B, KiB, MiB, GiB, TiB, without blanks ("16GiB").
/// kInvalidUsage for anything else: signs, leading zeros, other units, more than 2^63 − 1 bytes.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

/// The inverse, exact: the largest unit that divides the number ("1536MiB", "17B").
[[nodiscard]] std::string format_size(std::uint64_t bytes);

/// For people: the largest unit that leaves at least one, with two decimals ("1.46 GiB", "17 B").
[[nodiscard]] std::string approximate_size(std::uint64_t bytes);

}  // namespace belfry::config
