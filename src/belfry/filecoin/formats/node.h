#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// The node that 32 little-endian bytes are. For bytes of r or more kInvalidInput:
/// `where(message)` makes the error, with file, section and offset; expected and found are added.
template <class Where>
[[nodiscard]] Result<Node> parse_node(std::span<const std::uint8_t, kNodeBytes> bytes,
                                      const Where& where) {
  if (const auto node = FrBytes::parse(bytes)) return *node;
  return fail(where("not canonical").but("32 bytes, little-endian, below r", to_hex(bytes)));
}

}  // namespace belfry::filecoin
