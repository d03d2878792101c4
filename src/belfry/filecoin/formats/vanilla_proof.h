#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::filecoin {

/// A tree node, label or commitment: 32 bytes, canonical by construction.
using Node = FrBytes;

/// A path from a leaf to a root (formats.md 3.11). Levels bottom to top, arities given by the tree
/// (path_arities): level l has arity a_l, `positions[l]` < a_l and a_l - 1 siblings, left to right
/// without the node itself, stored level after level.
struct MerkleProof {
  Node root;
  Node leaf;
  std::vector<std::uint8_t> positions;  // (levels)
  std::vector<Node> siblings;           // (sum of arity - 1 over the levels)
};

/// The labels of one node on all layers and the way of their hash into TreeC.
struct ColumnProof {
  std::uint32_t index;
  std::vector<Node> rows;  // (layers), layer 1 first
  MerkleProof inclusion;
};

/// What one label was hashed from: the 37 parent labels, cycled as they were hashed.
struct LabelingProof {
  std::vector<Node> parents;  // (kHashedParents)
  std::uint32_t layer_index;  // from 1
  std::uint64_t node;
};

/// The vanilla proof of one challenge (formats.md 5.2), with claims as they were read: shapes are
/// checked, relations are not (see porep/vanilla_check.h).
struct VanillaChallenge {
  MerkleProof comm_d;
  MerkleProof comm_r_last;
  ColumnProof column;  ///< "c_x": the challenge's own
  std::array<ColumnProof, kDrgParents> drg_parents;
  std::array<ColumnProof, kExpanderParents> exp_parents;
  std::vector<LabelingProof> labeling;  // (layers)
  LabelingProof encoding;
};

using VanillaPartition = std::vector<VanillaChallenge>;  // (challenges)

/// A number of the Lotus/Curio wrapper, and where it stands in the wrapper's text.
struct WrapperNumber {
  std::uint64_t value;
  std::uint64_t offset;
};

/// A commit-phase-1 output: statement and vanilla proofs of all partitions.
struct C1Output {
  PorepConfig config;
  /// Absent in the inner structure, which does not name its registered proof.
  std::optional<SealProof> registered;
  Node comm_r;
  Node comm_d;
  Node replica_id;
  Bytes32 seed;
  Bytes32 ticket;
  std::vector<VanillaPartition> partitions;  // (config.partitions())
  /// From the Lotus/Curio wrapper, where there was one. Never trusted for anything.
  std::optional<WrapperNumber> wrapper_sector;
  /// Where the replica id stands in the text (the decoded inner one, if wrapped), for errors.
  std::uint64_t replica_id_offset = 0;
};

}  // namespace belfry::filecoin
