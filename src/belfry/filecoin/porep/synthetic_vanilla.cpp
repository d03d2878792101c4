#include "belfry/filecoin/porep/synthetic_vanilla.h"

#include <map>
#include <utility>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/labels.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/porep/sparse_tree.h"

namespace belfry::filecoin {
namespace {

/// What filler_node values are for; one tree's levels count from its own.
enum PorepDomain : std::uint32_t {
  kStatement = 1 << 8,
  kData,
  kLabels,
  kTreeD = 1 << 16,
  kTreeC = 1 << 17,
  kTreeR = 1 << 18,
};

using Columns = std::map<std::uint64_t, std::vector<Node>>;  // node -> (layers)

/// The challenged nodes, their parents, and the labels of both.
class SyntheticLabels {
 public:
  SyntheticLabels(const PorepConfig& config, const Node& replica_id, std::uint64_t seed)
      : graph_(config), layers_(config.sector->layers), replica_id_(replica_id), seed_(seed) {}

  void add_challenge(std::uint64_t node) {
    const auto parents = graph_.parents(node);
    challenges_.emplace(node, parents);
    columns_[node];
    for (const std::uint64_t parent : parents) columns_[parent];
  }

  /// Unchallenged columns are filled; the others are hashed layer by layer, nodes ascending, so
  /// that a DRG parent that is challenged itself has its label first.
  void compute() {
    for (auto& [node, column] : columns_) {
      const bool challenged = challenges_.contains(node);
      for (std::uint32_t layer = 1; layer <= layers_; ++layer) {
        column.push_back(challenged ? Node{}
                                    : filler_node(seed_, PorepDomain::kLabels + layer, node));
      }
    }
    for (std::uint32_t layer = 1; layer <= layers_; ++layer) {
      for (const auto& [node, parents] : challenges_) {
        columns_[node][layer - 1] = label(replica_id_, layer, node, hashed(layer, parents));
      }
    }
  }

  /// The 37 labels that label(layer, node) is hashed from.
  [[nodiscard]] std::vector<Node> hashed(std::uint32_t layer, const Graph::Parents& parents) const {
    std::vector<Node> out;
    for (std::uint32_t i = 0; i < kHashedParents; ++i) {
      const std::uint32_t which = cycled_parent(layer, i);
      const std::size_t row = which < kDrgParents ? layer - 1 : layer - 2;
      out.push_back(columns_.at(parents[which])[row]);
    }
    return out;
  }

  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }
  [[nodiscard]] const std::map<std::uint64_t, Graph::Parents>& challenges() const noexcept {
    return challenges_;
  }

 private:
  Graph graph_;
  std::uint32_t layers_;
  Node replica_id_;
  std::uint64_t seed_;
  std::map<std::uint64_t, Graph::Parents> challenges_;
  Columns columns_;
};

/// The three trees around the leaves that occur.
struct PorepTrees {
  SparseTree d;
  SparseTree c;
  SparseTree r;
};

PorepTrees make_trees(const SectorParams& sector, const SyntheticLabels& labels, std::uint64_t seed,
                      const Executor& executor) {
  std::map<std::uint64_t, Node> data;
  std::map<std::uint64_t, Node> replica;
  for (const auto& [node, parents] : labels.challenges()) {
    data[node] = filler_node(seed, PorepDomain::kData, node);
    replica[node] = FrBytes(labels.columns().at(node).back().to_fr() + data[node].to_fr());
  }
  std::map<std::uint64_t, Node> hashes;
  for (const auto& [node, column] : labels.columns()) hashes[node] = column_hash(column);
  const auto arities = path_arities(sector.tree, sector.nodes());
  return {SparseTree(TreeHash::kSha256, path_arities(kDataTree, sector.nodes()), std::move(data),
                     seed + PorepDomain::kTreeD, executor),
          SparseTree(TreeHash::kPoseidon, arities, std::move(hashes), seed + PorepDomain::kTreeC,
                     executor),
          SparseTree(TreeHash::kPoseidon, arities, std::move(replica), seed + PorepDomain::kTreeR,
                     executor)};
}

ColumnProof prove_column(const SyntheticLabels& labels, const PorepTrees& trees,
                         std::uint64_t node) {
  return {static_cast<std::uint32_t>(node), labels.columns().at(node), trees.c.prove(node)};
}

VanillaChallenge prove_challenge(const SyntheticLabels& labels, const PorepTrees& trees,
                                 std::uint64_t node) {
  VanillaChallenge out;
  out.comm_d = trees.d.prove(node);
  out.comm_r_last = trees.r.prove(node);
  out.column = prove_column(labels, trees, node);
  const Graph::Parents& parents = labels.challenges().at(node);
  for (std::size_t i = 0; i < kDrgParents; ++i) {
    out.drg_parents[i] = prove_column(labels, trees, parents[i]);
  }
  for (std::size_t i = 0; i < kExpanderParents; ++i) {
    out.exp_parents[i] = prove_column(labels, trees, parents[kDrgParents + i]);
  }
  const auto layers = static_cast<std::uint32_t>(out.column.rows.size());
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    out.labeling.push_back({labels.hashed(layer, parents), layer, node});
  }
  out.encoding = out.labeling.back();
  return out;
}

C1Output make_partitions(const PorepConfig& config, const std::vector<std::uint32_t>& partitions,
                         std::uint64_t seed, const Executor& executor) {
  BELFRY_ASSERT(config.feature == PorepFeature::kInteractive,
                "synthetic sectors have interactive challenges");
  C1Output c1{};
  c1.config = config;
  c1.replica_id = filler_node(seed, PorepDomain::kStatement, 0);
  c1.seed = filler_node(seed, PorepDomain::kStatement, 1).bytes();
  c1.ticket = filler_node(seed, PorepDomain::kStatement, 2).bytes();
  c1.partitions.resize(config.partitions());

  SyntheticLabels labels(config, c1.replica_id, seed);
  std::map<std::uint32_t, std::vector<std::uint64_t>> challenges;
  for (const std::uint32_t k : partitions) {
    challenges[k] = porep_challenges(config, {c1.replica_id, {}, c1.seed}, k);
    for (const std::uint64_t node : challenges[k]) labels.add_challenge(node);
  }
  labels.compute();
  const PorepTrees trees = make_trees(*config.sector, labels, seed, executor);
  c1.comm_d = trees.d.root();
  c1.comm_r = comm_r(trees.c.root(), trees.r.root());
  for (const auto& [k, nodes] : challenges) {
    for (const std::uint64_t node : nodes) {
      c1.partitions[k].push_back(prove_challenge(labels, trees, node));
    }
  }
  return c1;
}

}  // namespace

PorepConfig synthetic_config(const SectorParams& sector) {
  for (const SealProof& proof : seal_proofs()) {
    const bool interactive = proof.feature == PorepFeature::kInteractive;
    if (proof.sector->name == sector.name && interactive && proof.api == ApiVersion::kV1_1) {
      return proof.config();
    }
  }
  return {&sector, ApiVersion::kV1_1, PorepFeature::kInteractive, Bytes32{}};
}

C1Output synthetic_c1(const PorepConfig& config, std::uint64_t seed, const Executor& executor) {
  std::vector<std::uint32_t> all(config.partitions());
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
  return make_partitions(config, all, seed, executor);
}

C1Output synthetic_partition(const PorepConfig& config, std::uint32_t partition, std::uint64_t seed,
                             const Executor& executor) {
  return make_partitions(config, {partition}, seed, executor);
}

}  // namespace belfry::filecoin
