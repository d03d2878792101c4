#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace belfry::filecoin {

/// Standard base64 (RFC 4648, section 4), padded, in one piece; empty for anything else: other
/// characters, missing or misplaced padding, bits that padding cuts off and that are not zero.
/// Cost: about a nanosecond a character.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace belfry::filecoin
