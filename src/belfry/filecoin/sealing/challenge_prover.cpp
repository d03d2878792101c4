#include "belfry/filecoin/sealing/challenge_prover.h"

#include <utility>

#include "belfry/filecoin/native/labels.h"

namespace belfry::filecoin {
namespace {

/// The 37 labels that layer number `layer` of the challenged node was hashed from.
std::vector<Node> hashed_labels(const VanillaChallenge& challenge, std::uint32_t layer) {
  std::vector<Node> labels;
  for (std::uint32_t i = 0; i < kHashedParents; ++i) {
    const std::uint32_t which = cycled_parent(layer, i);
    // Expander parents are those of the layer below.
    labels.push_back(which < kDrgParents
                         ? challenge.drg_parents.at(which).rows[layer - 1]
                         : challenge.exp_parents.at(which - kDrgParents).rows[layer - 2]);
  }
  return labels;
}

}  // namespace

Result<SealedLayers> open_layers(const SectorPaths& paths, const SectorParams& sector) {
  std::vector<NodeFile> layers;
  for (std::uint32_t number = 1; number <= sector.layers; ++number) {
    BELFRY_TRY(NodeFile layer, NodeFile::open(paths.layer(number), sector.nodes()));
    layers.push_back(std::move(layer));
  }
  BELFRY_TRY(StoredTree data_tree, StoredTree::open(paths.data_tree(sector)));
  BELFRY_TRY(StoredTree column_tree, StoredTree::open(paths.column_tree(sector)));
  return SealedLayers{std::move(layers), std::move(data_tree), std::move(column_tree)};
}

Result<ColumnProof> prove_column(const SealedLayers& sector, std::uint64_t node) {
  ColumnProof proof{.index = static_cast<std::uint32_t>(node), .rows = {}, .inclusion = {}};
  for (const NodeFile& layer : sector.layers) {
    BELFRY_TRY(const Node label, layer.at(node));
    proof.rows.push_back(label);
  }
  BELFRY_TRY(proof.inclusion, sector.column_tree.prove(node));
  return proof;
}

Result<VanillaChallenge> prove_challenge(const Graph& graph, const SealedLayers& sector,
                                         const StoredTree& replica_tree, std::uint64_t node) {
  VanillaChallenge out;
  BELFRY_TRY(out.comm_d, sector.data_tree.prove(node));
  BELFRY_TRY(out.comm_r_last, replica_tree.prove(node));
  BELFRY_TRY(out.column, prove_column(sector, node));
  const auto drg = graph.drg_parents(node);
  for (std::size_t i = 0; i < drg.size(); ++i) {
    BELFRY_TRY(out.drg_parents.at(i), prove_column(sector, drg.at(i)));
  }
  const auto expander = graph.expander_parents(node);
  for (std::size_t i = 0; i < expander.size(); ++i) {
    BELFRY_TRY(out.exp_parents.at(i), prove_column(sector, expander.at(i)));
  }
  add_labeling(out);
  return out;
}

void add_labeling(VanillaChallenge& challenge) {
  const auto layers = static_cast<std::uint32_t>(challenge.column.rows.size());
  challenge.labeling.clear();
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    challenge.labeling.push_back(
        {hashed_labels(challenge, layer), layer, std::uint64_t{challenge.column.index}});
  }
  challenge.encoding = challenge.labeling.back();
}

}  // namespace belfry::filecoin
