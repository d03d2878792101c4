#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {

/// label(layer, node) = trunc254(SHA-256(replica_id ‖ layer u32 BE ‖ node u64 BE ‖ 20 zero bytes ‖
/// parent labels)), 37 of them or none for node 0 (formats.md 3.6). Thread-safe. Cost: 20 blocks.
[[nodiscard]] Node label(const Node& replica_id, std::uint32_t layer, std::uint64_t node,
                         std::span<const Node> parents);

/// Place in the list of 6 (layer 1) or 14 parents of hashed parent number i: cyclic.
[[nodiscard]] constexpr std::uint32_t cycled_parent(std::uint32_t layer, std::uint32_t i) noexcept {
  return i % (layer == 1 ? kDrgParents : kParents);
}

/// The labels of one layer for who makes all of them: the same function, without cycling the
/// parents by copies. A value; const use is thread-safe.
class LayerLabels {
 public:
  LayerLabels(const Node& replica_id, std::uint32_t layer) noexcept;

  /// Parents that this layer hashes: 6 in the first one, else 14.
  [[nodiscard]] std::size_t parents() const noexcept { return parents_; }
  /// The label of node 0.
  [[nodiscard]] Node first() const noexcept;
  /// The label of another node, from its distinct parents, not cycled.
  [[nodiscard]] Node label(std::uint64_t node, std::span<const Node> parents) const noexcept;

 private:
  static constexpr std::size_t kBlockBytes = 64;
  using Block = std::array<std::uint8_t, kBlockBytes>;

  [[nodiscard]] hash::Sha256State begin(std::uint64_t node) const noexcept;

  Block header_{};  ///< without the node
  std::size_t parents_;
};

}  // namespace belfry::filecoin
