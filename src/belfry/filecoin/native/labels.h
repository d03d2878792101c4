#pragma once

#include <cstdint>
#include <span>

#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// label(layer, node) = trunc254(SHA-256(replica_id ‖ layer u32 BE ‖ node u64 BE ‖ 20 zero bytes ‖
/// parent labels)), 37 of them or none for node 0 (formats.md 3.6). Thread-safe. Cost: 20 blocks.
[[nodiscard]] Node label(const Node& replica_id, std::uint32_t layer, std::uint64_t node,
                         std::span<const Node> parents);

/// Place in the list of 6 (layer 1) or 14 parents of hashed parent number i: cyclic.
[[nodiscard]] constexpr std::uint32_t cycled_parent(std::uint32_t layer, std::uint32_t i) noexcept {
  return i % (layer == 1 ? kDrgParents : kParents);
}

}  // namespace belfry::filecoin
