#pragma once

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/labels.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/hash/sha256.h"

/// Slow and obvious: whole sectors of a few nodes, as circuits.md 2.3 and formats.md 3 describe
/// them.
namespace belfry::test {

using filecoin::MerkleProof;
using filecoin::Node;

inline filecoin::ApiVersion api_version(std::string_view text) {
  if (text == "1.0") return filecoin::ApiVersion::kV1_0;
  return text == "1.1" ? filecoin::ApiVersion::kV1_1 : filecoin::ApiVersion::kV1_2;
}

/// SHA-256 of the parents cache file: 14 u32 LE a node (formats.md 3.5).
inline std::string parent_cache_digest(std::uint64_t nodes, const Bytes32& porep_id,
                                       filecoin::ApiVersion api) {
  const filecoin::Graph graph(nodes, porep_id, api);
  std::vector<std::uint8_t> file;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    for (const std::uint64_t parent : graph.parents(node)) {
      std::array<std::uint8_t, 4> word{};
      store_le(word.data(), static_cast<std::uint32_t>(parent));
      file.insert(file.end(), word.begin(), word.end());
    }
  }
  return to_hex(hash::sha256(file));
}

/// The 37 labels that label(layer, node) is hashed from; `layers` holds the layers so far.
inline std::vector<Node> hashed_parents(const filecoin::Graph& graph,
                                        const std::vector<std::vector<Node>>& layers,
                                        std::uint32_t layer, std::uint64_t node) {
  const auto parents = graph.parents(node);
  std::vector<Node> out;
  for (std::uint32_t i = 0; i < filecoin::kHashedParents; ++i) {
    const std::uint32_t which = filecoin::cycled_parent(layer, i);
    const bool is_drg = which < filecoin::kDrgParents;
    out.push_back(layers[is_drg ? layer - 1 : layer - 2][parents[which]]);
  }
  return out;
}

/// All labels, layer 1 first.
inline std::vector<std::vector<Node>> make_labels(const filecoin::Graph& graph, std::uint64_t nodes,
                                                  std::uint32_t count, const Node& replica_id) {
  std::vector<std::vector<Node>> layers;
  for (std::uint32_t layer = 1; layer <= count; ++layer) {
    layers.emplace_back();
    for (std::uint64_t node = 0; node < nodes; ++node) {
      const auto parents =
          node == 0 ? std::vector<Node>{} : hashed_parents(graph, layers, layer, node);
      layers.back().push_back(filecoin::label(replica_id, layer, node, parents));
    }
  }
  return layers;
}

/// A whole tree in memory, all levels.
class SmallTree {
 public:
  SmallTree(filecoin::TreeHash hash, const filecoin::TreeShape& shape, std::vector<Node> leaves)
      : arities_(filecoin::path_arities(shape, leaves.size())) {
    levels_.push_back(std::move(leaves));
    for (const std::uint32_t arity : arities_) {
      const std::vector<Node>& below = levels_.back();
      std::vector<Node> row;
      for (std::size_t i = 0; i < below.size(); i += arity) {
        row.push_back(filecoin::hash_children(hash, std::span(below).subspan(i, arity)));
      }
      levels_.push_back(std::move(row));
    }
  }

  [[nodiscard]] const Node& root() const { return levels_.back().front(); }
  [[nodiscard]] MerkleProof prove(std::uint64_t index) const {
    MerkleProof proof;
    proof.root = root();
    proof.leaf = levels_.front()[index];
    for (std::size_t level = 0; level < arities_.size(); ++level) {
      const std::uint64_t arity = arities_[level];
      const std::uint64_t place = index % arity;
      for (std::uint64_t i = 0; i < arity; ++i) {
        if (i != place) proof.siblings.push_back(levels_[level][index - place + i]);
      }
      proof.positions.push_back(static_cast<std::uint8_t>(place));
      index /= arity;
    }
    return proof;
  }

 private:
  std::vector<std::uint32_t> arities_;
  std::vector<std::vector<Node>> levels_;
};

/// The 2 KiB sector of circuits.md 7.5: replica_id = 55, data node i = i + 1.
struct SmallSector {
  filecoin::PorepConfig config;
  Node replica_id;
  std::vector<std::vector<Node>> labels;
  SmallTree tree_d;
  SmallTree tree_c;
  SmallTree tree_r;
};

inline SmallSector make_small_sector(std::uint64_t porep_id, filecoin::ApiVersion api) {
  const filecoin::SectorParams& params = filecoin::sector_table().front();
  filecoin::PorepConfig config{&params, api, filecoin::PorepFeature::kInteractive, {}};
  config.porep_id[0] = static_cast<std::uint8_t>(porep_id);
  const Node replica_id(Fr::from_u64(55));
  auto labels = make_labels(filecoin::Graph(config), params.nodes(), params.layers, replica_id);
  std::vector<Node> data;
  std::vector<Node> columns;
  std::vector<Node> replica;
  for (std::uint64_t i = 0; i < params.nodes(); ++i) {
    data.emplace_back(Fr::from_u64(i + 1));
    columns.push_back(filecoin::column_hash(std::array{labels[0][i], labels[1][i]}));
    replica.emplace_back(labels[1][i].to_fr() + data.back().to_fr());
  }
  using filecoin::TreeHash;
  return {config,
          replica_id,
          std::move(labels),
          SmallTree(TreeHash::kSha256, filecoin::kDataTree, data),
          SmallTree(TreeHash::kPoseidon, params.tree, columns),
          SmallTree(TreeHash::kPoseidon, params.tree, replica)};
}

/// The C1 output of a small sector: seed 32 times 01 (circuits.md 7.5).
inline filecoin::C1Output prove_small_sector(const SmallSector& sector) {
  filecoin::C1Output c1{};
  c1.config = sector.config;
  c1.replica_id = sector.replica_id;
  c1.comm_d = sector.tree_d.root();
  c1.comm_r = filecoin::comm_r(sector.tree_c.root(), sector.tree_r.root());
  c1.seed.fill(1);
  const auto column = [&](std::uint64_t node) {
    filecoin::ColumnProof proof;
    proof.index = static_cast<std::uint32_t>(node);
    for (const auto& layer : sector.labels) proof.rows.push_back(layer[node]);
    proof.inclusion = sector.tree_c.prove(node);
    return proof;
  };
  const filecoin::Graph graph(sector.config);
  const auto challenges =
      filecoin::porep_challenges(sector.config, {c1.replica_id, c1.comm_r, c1.seed}, 0);
  c1.partitions.emplace_back();
  for (const std::uint64_t node : challenges) {
    filecoin::VanillaChallenge& out = c1.partitions[0].emplace_back();
    out.comm_d = sector.tree_d.prove(node);
    out.comm_r_last = sector.tree_r.prove(node);
    out.column = column(node);
    const auto parents = graph.parents(node);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      (i < filecoin::kDrgParents ? out.drg_parents[i]
                                 : out.exp_parents[i - filecoin::kDrgParents]) = column(parents[i]);
    }
    for (std::uint32_t layer = 1; layer <= sector.labels.size(); ++layer) {
      out.labeling.push_back({hashed_parents(graph, sector.labels, layer, node), layer, node});
    }
    out.encoding = out.labeling.back();
  }
  return c1;
}

}  // namespace belfry::test
