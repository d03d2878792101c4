#include "belfry/filecoin/native/trees.h"

#include <algorithm>
#include <array>

#include "belfry/base/assert.h"
#include "belfry/hash/poseidon.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

/// The widest column; the widest tree level has 8.
constexpr std::size_t kMaxHashed = 11;

Fr poseidon_nodes(std::span<const Node> nodes) {
  BELFRY_ASSERT(nodes.size() <= kMaxHashed, "a level or column has at most 11 nodes");
  std::array<Fr, kMaxHashed> elements{};
  for (std::size_t i = 0; i < nodes.size(); ++i) elements[i] = nodes[i].to_fr();
  return hash::poseidon(std::span(elements).first(nodes.size()));
}

}  // namespace

Node hash_children(TreeHash hash, std::span<const Node> children) {
  if (hash == TreeHash::kPoseidon) return FrBytes(poseidon_nodes(children));
  BELFRY_ASSERT(children.size() == 2, "data trees are binary");
  // Two top bits are clear, so the node is canonical.
  return *FrBytes::parse(hash::sha256_node(children[0].bytes(), children[1].bytes()));
}

Node path_root(TreeHash hash, std::span<const std::uint32_t> arities, const MerkleProof& proof) {
  Node current = proof.leaf;
  std::span<const Node> siblings(proof.siblings);
  for (std::size_t level = 0; level < arities.size(); ++level) {
    std::array<Node, kMaxHashed> children{};
    const std::size_t arity = arities[level];
    const std::size_t place = proof.positions[level];
    const auto above = std::copy_n(siblings.begin(), place, children.begin());
    *above = current;
    std::copy(siblings.begin() + static_cast<std::ptrdiff_t>(place),
              siblings.begin() + static_cast<std::ptrdiff_t>(arity - 1), above + 1);
    current = hash_children(hash, std::span(children).first(arity));
    siblings = siblings.subspan(arity - 1);
  }
  return current;
}

std::uint64_t path_index(std::span<const std::uint32_t> arities,
                         std::span<const std::uint8_t> positions) noexcept {
  std::uint64_t index = 0;
  for (std::size_t level = arities.size(); level-- > 0;) {
    index = index * arities[level] + positions[level];
  }
  return index;
}

Node column_hash(std::span<const Node> rows) { return FrBytes(poseidon_nodes(rows)); }

Node comm_r(const Node& comm_c, const Node& comm_r_last) {
  const std::array<Node, 2> roots{comm_c, comm_r_last};
  return FrBytes(poseidon_nodes(roots));
}

}  // namespace belfry::filecoin
