#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

enum class TreeHash : std::uint8_t { kSha256, kPoseidon };

/// The widest node of any tree.
inline constexpr std::size_t kMaxArity = 8;

/// Parent of `children` (2, 4 or 8 of them with Poseidon, 2 with SHA-256).
[[nodiscard]] Node hash_children(TreeHash hash, std::span<const Node> children);

/// The root that a path leads to from its leaf. Positions and siblings fit the arities (the parsers
/// see to that). Cost: one hash a level.
[[nodiscard]] Node path_root(TreeHash hash, std::span<const std::uint32_t> arities,
                             const MerkleProof& proof);

/// The leaf index that the positions spell: mixed radix, lowest level least significant.
[[nodiscard]] std::uint64_t path_index(std::span<const std::uint32_t> arities,
                                       std::span<const std::uint8_t> positions) noexcept;

/// Poseidon of a column of 2 or 11 labels: the leaf of TreeC.
[[nodiscard]] Node column_hash(std::span<const Node> rows);

/// comm_r = Poseidon2(comm_c, comm_r_last).
[[nodiscard]] Node comm_r(const Node& comm_c, const Node& comm_r_last);

}  // namespace belfry::filecoin
