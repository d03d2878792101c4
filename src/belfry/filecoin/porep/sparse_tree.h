#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/filecoin/native/trees.h"

namespace belfry::filecoin {

/// A node that follows from a seed, a domain and an index: canonical (below 2^254), not random in
/// any cryptographic sense.
[[nodiscard]] Node filler_node(std::uint64_t seed, std::uint64_t domain, std::uint64_t index);

/// A Merkle tree of which only some leaves are known; the rest of it is filled with filler_node
/// values, which are never computed but where a path touches them. Immutable; thread-safe.
class SparseTree {
 public:
  /// Cost: at most one hash a known leaf and level. Parallel within a level.
  SparseTree(TreeHash hash, std::vector<std::uint32_t> arities,
             std::map<std::uint64_t, Node> leaves, std::uint64_t seed, const Executor& executor);

  [[nodiscard]] const Node& root() const { return levels_.back().begin()->second; }
  /// The path of a known leaf.
  [[nodiscard]] MerkleProof prove(std::uint64_t leaf) const;

 private:
  using Level = std::map<std::uint64_t, Node>;

  [[nodiscard]] Level parents_of(std::size_t level, TreeHash hash, const Executor& executor) const;
  [[nodiscard]] Node node_at(std::size_t level, std::uint64_t index) const;

  std::vector<std::uint32_t> arities_;
  std::uint64_t seed_;
  std::vector<Level> levels_;  ///< known nodes, leaves first
};

}  // namespace belfry::filecoin
