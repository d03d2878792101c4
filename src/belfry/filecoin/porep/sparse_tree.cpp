#include "belfry/filecoin/porep/sparse_tree.h"

#include <array>
#include <utility>

#include "belfry/base/assert.h"
#include "belfry/base/bytes.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

/// One step of the SplitMix64 generator (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t& state) noexcept {
  // NOLINTBEGIN(readability-magic-numbers): the generator's constants
  std::uint64_t z = (state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
  // NOLINTEND(readability-magic-numbers)
}

}  // namespace

Node filler_node(std::uint64_t seed, std::uint64_t domain, std::uint64_t index) {
  std::uint64_t state = seed;
  state = mix(state) ^ domain;
  state = mix(state) ^ index;
  Bytes32 bytes{};
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    store_le(bytes.data() + i, mix(state));
  }
  const auto node = FrBytes::parse(hash::trunc254(bytes));
  BELFRY_ASSERT(node.has_value(), "254 bits are canonical");
  return *node;
}

SparseTree::SparseTree(TreeHash hash, std::vector<std::uint32_t> arities,
                       std::map<std::uint64_t, Node> leaves, std::uint64_t seed,
                       const Executor& executor)
    : arities_(std::move(arities)), seed_(seed) {
  levels_.push_back(std::move(leaves));
  for (std::size_t level = 0; level < arities_.size(); ++level) {
    levels_.push_back(parents_of(level, hash, executor));
  }
}

SparseTree::Level SparseTree::parents_of(std::size_t level, TreeHash hash,
                                         const Executor& executor) const {
  const std::uint64_t arity = arities_[level];
  std::vector<std::pair<std::uint64_t, Node>> parents;
  for (const auto& [index, node] : levels_[level]) {
    const std::uint64_t parent = index / arity;
    if (parents.empty() || parents.back().first != parent) parents.emplace_back(parent, Node{});
  }
  executor.for_each(parents.size(), [&](std::size_t i) {
    std::array<Node, kMaxArity> children{};
    for (std::uint64_t child = 0; child < arity; ++child) {
      children[child] = node_at(level, parents[i].first * arity + child);
    }
    parents[i].second = hash_children(hash, std::span<const Node>(children).first(arity));
  });
  return {parents.begin(), parents.end()};
}

Node SparseTree::node_at(std::size_t level, std::uint64_t index) const {
  const auto known = levels_[level].find(index);
  return known == levels_[level].end() ? filler_node(seed_, level, index) : known->second;
}

MerkleProof SparseTree::prove(std::uint64_t leaf) const {
  MerkleProof proof;
  proof.root = root();
  proof.leaf = levels_.front().at(leaf);
  std::uint64_t index = leaf;
  for (std::size_t level = 0; level < arities_.size(); ++level) {
    const std::uint64_t arity = arities_[level];
    const std::uint64_t place = index % arity;
    for (std::uint64_t child = 0; child < arity; ++child) {
      if (child != place) proof.siblings.push_back(node_at(level, index - place + child));
    }
    proof.positions.push_back(static_cast<std::uint8_t>(place));
    index /= arity;
  }
  return proof;
}

}  // namespace belfry::filecoin
