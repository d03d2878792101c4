#pragma once

#include <cstdint>
#include <span>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/native/tree_rows.h"

/// Fr32 padding: after every 254 bits of data (least significant bit of a byte first) two zero bits
/// are inserted, so that 32 bytes hold one canonical field element (formats.md 3.3).
namespace belfry::filecoin {

/// 127 bytes of data become 128.
inline constexpr std::uint64_t kUnpaddedGroup = 127;
inline constexpr std::uint64_t kPaddedGroup = 128;
/// Bits of data in a node.
inline constexpr std::uint64_t kFr32NodeBits = 254;

/// What a padded size, a multiple of 128, has room for.
[[nodiscard]] constexpr std::uint64_t unpadded_size(std::uint64_t padded_bytes) noexcept {
  return padded_bytes / kPaddedGroup * kUnpaddedGroup;
}
/// Nodes that `unpadded_bytes` of data become; a last one is filled with zero bits.
[[nodiscard]] constexpr std::uint64_t fr32_nodes(std::uint64_t unpadded_bytes) noexcept {
  return (8 * unpadded_bytes + kFr32NodeBits - 1) / kFr32NodeBits;
}

/// Nodes first, first + 1, ... of the padded form of `data`; zero bits follow its end. Any range,
/// so that workers can share the work. Thread-safe. Cost: a few nanoseconds a node.
void fr32_pad(ByteSpan data, std::uint64_t first, std::span<Node> out) noexcept;

/// The same as the leaves of a data tree. The data outlives the source.
[[nodiscard]] LeafSource fr32_leaves(ByteSpan data);

}  // namespace belfry::filecoin
