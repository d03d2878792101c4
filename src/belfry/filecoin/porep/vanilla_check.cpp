#include "belfry/filecoin/porep/vanilla_check.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/try_for_each.h"
#include "belfry/filecoin/claims.h"
#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/labels.h"
#include "belfry/filecoin/native/trees.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kPorepCheckStage = "filecoin.porep.check";

ClaimPlace place_of(std::string section) { return {kPorepCheckStage, std::move(section)}; }

/// What all challenges of a partition have in common.
struct Partition {
  const C1Output& c1;
  std::uint32_t number;
  const Graph& graph;
  std::vector<std::uint32_t> data_arities;
  std::vector<std::uint32_t> replica_arities;
  Node comm_c;
  Node comm_r_last;
};

/// One challenge of a partition: its claims against the node that it has to be about.
class ChallengeCheck {
 public:
  ChallengeCheck(const Partition& partition, std::size_t index, std::uint64_t node)
      : partition_(partition),
        claim_(partition.c1.partitions[partition.number][index]),
        node_(node),
        place_(place_of("vanilla_proofs[" + std::to_string(partition.number) + "][" +
                        std::to_string(index) + "]")) {}

  [[nodiscard]] Result<void> run() const {
    BELFRY_CHECK(check_inclusion({TreeHash::kSha256, partition_.data_arities, partition_.c1.comm_d},
                                 claim_.comm_d, node_, place_.part("comm_d_proofs")));
    BELFRY_CHECK(
        check_inclusion({TreeHash::kPoseidon, partition_.replica_arities, partition_.comm_r_last},
                        claim_.comm_r_last, node_, place_.part("comm_r_last_proof")));
    BELFRY_CHECK(check_columns());
    BELFRY_CHECK(check_labels());
    const Fr replica = claim_.column.rows.back().to_fr() + claim_.comm_d.leaf.to_fr();
    return expect_equal(FrBytes(replica), claim_.comm_r_last.leaf,
                        place_.part("comm_r_last_proof.leaf"),
                        "the replica node is not label plus data");
  }

 private:
  [[nodiscard]] Result<void> check_column(const ColumnProof& proof, std::uint64_t node,
                                          const ClaimPlace& place) const {
    BELFRY_CHECK(expect_equal(node, std::uint64_t{proof.index}, place.part("column.index"),
                              "the column is that of another node"));
    BELFRY_CHECK(expect_equal(column_hash(proof.rows), proof.inclusion.leaf,
                              place.part("inclusion_proof.leaf"),
                              "the leaf is not the column's hash"));
    return check_inclusion({TreeHash::kPoseidon, partition_.replica_arities, partition_.comm_c},
                           proof.inclusion, node, place.part("inclusion_proof"));
  }

  [[nodiscard]] Result<void> check_columns() const {
    const ClaimPlace place = place_.part("replica_column_proofs");
    BELFRY_CHECK(check_column(claim_.column, node_, place.part("c_x")));
    const auto drg = partition_.graph.drg_parents(node_);
    for (std::size_t i = 0; i < drg.size(); ++i) {
      BELFRY_CHECK(check_column(claim_.drg_parents[i], drg[i],
                                place.part("drg_parents[" + std::to_string(i) + "]")));
    }
    const auto expander = partition_.graph.expander_parents(node_);
    for (std::size_t i = 0; i < expander.size(); ++i) {
      BELFRY_CHECK(check_column(claim_.exp_parents[i], expander[i],
                                place.part("exp_parents[" + std::to_string(i) + "]")));
    }
    return {};
  }

  /// Parent label number i of the preimage of a layer, as the columns have it.
  [[nodiscard]] const Node& parent_label(std::uint32_t layer, std::uint32_t i) const {
    const std::uint32_t parent = cycled_parent(layer, i);
    if (parent < kDrgParents) return claim_.drg_parents[parent].rows[layer - 1];
    return claim_.exp_parents[parent - kDrgParents].rows[layer - 2];
  }

  [[nodiscard]] Result<void> check_labeling(const LabelingProof& proof, std::uint32_t layer,
                                            const ClaimPlace& place) const {
    BELFRY_CHECK(expect_equal(std::uint64_t{layer}, std::uint64_t{proof.layer_index},
                              place.part("layer_index"), "the label is that of another layer"));
    BELFRY_CHECK(
        expect_equal(node_, proof.node, place.part("node"), "the label is that of another node"));
    for (std::uint32_t i = 0; i < kHashedParents; ++i) {
      BELFRY_CHECK(expect_equal(parent_label(layer, i), proof.parents[i],
                                place.part("parents[" + std::to_string(i) + "]"),
                                "a parent's label is not that of its column"));
    }
    return expect_equal(label(partition_.c1.replica_id, layer, node_, proof.parents),
                        claim_.column.rows[layer - 1], place,
                        "the label is not that of the challenge's column");
  }

  [[nodiscard]] Result<void> check_labels() const {
    std::uint32_t layer = 0;
    for (const LabelingProof& proof : claim_.labeling) {
      BELFRY_CHECK(check_labeling(proof, layer + 1,
                                  place_.part("labeling_proofs[" + std::to_string(layer) + "]")));
      ++layer;
    }
    return check_labeling(claim_.encoding, layer, place_.part("encoding_proof"));
  }

  const Partition& partition_;
  const VanillaChallenge& claim_;
  std::uint64_t node_;
  ClaimPlace place_;
};

Result<void> check_statement(const C1Output& c1, const Node& comm_c, const Node& comm_r_last) {
  const auto expect_some = [](const auto& bytes, std::string section) -> Result<void> {
    const bool zero =
        std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
    if (!zero) return {};
    return fail(place_of(std::move(section))
                    .error("all bytes are zero")
                    .but("some other value", to_hex(bytes)));
  };
  BELFRY_CHECK(expect_some(c1.comm_r.bytes(), "comm_r"));
  BELFRY_CHECK(expect_some(c1.comm_d.bytes(), "comm_d"));
  BELFRY_CHECK(expect_some(c1.seed, "seed"));
  return expect_equal(comm_r(comm_c, comm_r_last), c1.comm_r, place_of("comm_r"),
                      "comm_r is not the hash of the roots of TreeC and TreeR");
}

Result<void> check_size(const C1Output& c1, std::uint32_t partition) {
  const std::size_t challenges =
      partition < c1.partitions.size() ? c1.partitions[partition].size() : 0;
  return expect_equal(c1.config.sector->challenges, challenges,
                      place_of("vanilla_proofs[" + std::to_string(partition) + "]"),
                      "wrong number of challenges");
}

}  // namespace

Result<void> check_vanilla_partition(const C1Output& c1, std::uint32_t partition,
                                     const Executor& executor) {
  BELFRY_CHECK(check_size(c1, partition));
  const VanillaChallenge& first = c1.partitions[partition].front();
  const Graph graph(c1.config);
  const std::uint64_t nodes = c1.config.sector->nodes();
  const Partition common{c1,
                         partition,
                         graph,
                         path_arities(kDataTree, nodes),
                         path_arities(c1.config.sector->tree, nodes),
                         first.column.inclusion.root,
                         first.comm_r_last.root};
  BELFRY_CHECK(check_statement(c1, common.comm_c, common.comm_r_last));
  const auto challenges =
      porep_challenges(c1.config, {c1.replica_id, c1.comm_r, c1.seed}, partition);
  return try_for_each(executor, challenges.size(), [&](std::size_t i) {
    return ChallengeCheck(common, i, challenges[i]).run();
  });
}

Result<void> check_vanilla_proofs(const C1Output& c1, const Executor& executor,
                                  const CancelToken& cancel) {
  for (std::uint32_t k = 0; k < c1.config.partitions(); ++k) {
    BELFRY_CHECK(cancel.check(std::string(kPorepCheckStage)));
    BELFRY_CHECK(check_vanilla_partition(c1, k, executor));
  }
  return {};
}

}  // namespace belfry::filecoin
