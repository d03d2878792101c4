#include "belfry/filecoin/porep/vanilla_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "filecoin/cases.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

const C1Output& c1_of_2kib() {
  static const C1Output c1 =
      *parse_c1(test::read_vector("porep-2kib-v1_1/c1.json"), "porep-2kib-v1_1/c1.json");
  return c1;
}

TEST(VanillaCheck, AcceptsWhatTheReferenceMade) {
  const Executor executor(2);
  for (const char* name : {"porep-2kib-v1_0", "porep-2kib-v1_1", "porep-2kib-v1_2-synthetic",
                           "porep-2kib-ni", "porep-8mib-v1_1-vanilla"}) {
    const auto c1 = parse_c1(test::read_vector(std::string(name) + "/c1.json"), name);
    ASSERT_TRUE(c1);
    const auto checked = check_vanilla_proofs(*c1, executor);
    EXPECT_TRUE(checked) << name << checked.error().describe();
  }
  const auto c1 =
      parse_c1_inner(test::read_vector("porep-32kib/c1-inner.json"), test::config_32kib(), "");
  ASSERT_TRUE(c1);
  EXPECT_TRUE(check_vanilla_proofs(*c1, executor));
}

TEST(VanillaCheck, AcceptsWhatWeMade) {
  const Executor executor(2);
  EXPECT_TRUE(check_vanilla_proofs(
      test::prove_small_sector(test::make_small_sector(5, ApiVersion::kV1_1)), executor));
  EXPECT_TRUE(check_vanilla_proofs(
      test::prove_small_sector(test::make_small_sector(0, ApiVersion::kV1_0)), executor));
  EXPECT_TRUE(check_vanilla_proofs(synthetic_c1(test::config_32kib(), 1, executor), executor));
  for (const char* number : {"3", "8", "9"}) {
    const PorepConfig config = find_seal_proof(number)->config();
    const C1Output c1 = synthetic_partition(config, 7, 2, executor);
    EXPECT_TRUE(c1.partitions[6].empty());
    const auto checked = check_vanilla_partition(c1, 7, executor);
    EXPECT_TRUE(checked) << checked.error().describe();
    EXPECT_FALSE(check_vanilla_partition(c1, 6, executor));
    EXPECT_FALSE(check_vanilla_partition(c1, 10, executor));
  }
}

/// A contradiction, and the field that the check has to name: in challenge 1 of partition 0 unless
/// the field stands outside the vanilla proofs.
struct PorepLie {
  std::string section;
  std::function<void(C1Output&, VanillaChallenge&)> tell;
};

std::vector<PorepLie> path_lies() {
  return {
      {"comm_d_proofs.path", [](auto&, auto& v) { test::change(v.comm_d.leaf); }},
      {"comm_d_proofs.path", [](auto&, auto& v) { test::change(v.comm_d.siblings[5]); }},
      {"comm_d_proofs.path", [](auto&, auto& v) { v.comm_d.positions[0] ^= 1; }},
      {"comm_d_proofs.root", [](auto&, auto& v) { test::change(v.comm_d.root); }},
      {"comm_r_last_proof.path", [](auto&, auto& v) { test::swap_siblings(v.comm_r_last); }},
      {"comm_r_last_proof.path", [](auto&, auto& v) { v.comm_r_last.positions[1] ^= 4; }},
      {"comm_r_last_proof.path", [](auto&, auto& v) { test::change(v.comm_r_last.leaf); }},
      {"comm_r_last_proof.root", [](auto&, auto& v) { test::change(v.comm_r_last.root); }},
      {"replica_column_proofs.c_x.inclusion_proof.path",
       [](auto&, auto& v) { test::swap_siblings(v.column.inclusion); }},
      {"replica_column_proofs.c_x.inclusion_proof.root",
       [](auto&, auto& v) { test::change(v.column.inclusion.root); }},
      {"replica_column_proofs.drg_parents[3].inclusion_proof.path",
       [](auto&, auto& v) { test::swap_siblings(v.drg_parents[3].inclusion); }},
      {"replica_column_proofs.exp_parents[7].inclusion_proof.path",
       [](auto&, auto& v) { test::change(v.exp_parents[7].inclusion.siblings[13]); }},
      {"replica_column_proofs.exp_parents[7].inclusion_proof.root",
       [](auto&, auto& v) { test::change(v.exp_parents[7].inclusion.root); }},
      {"replica_column_proofs.exp_parents[0].inclusion_proof.leaf",
       [](auto&, auto& v) { test::change(v.exp_parents[0].inclusion.leaf); }},
  };
}

std::vector<PorepLie> column_lies() {
  return {
      {"replica_column_proofs.c_x.column.index", [](auto&, auto& v) { ++v.column.index; }},
      {"replica_column_proofs.c_x.inclusion_proof.leaf",
       [](auto&, auto& v) { test::change(v.column.rows[1]); }},
      {"replica_column_proofs.drg_parents[0].column.index",
       [](auto&, auto& v) { ++v.drg_parents[0].index; }},
      {"replica_column_proofs.drg_parents[0].inclusion_proof.leaf",
       [](auto&, auto& v) { test::change(v.drg_parents[0].rows[0]); }},
      {"replica_column_proofs.exp_parents[2].column.index",
       [](auto&, auto& v) { std::swap(v.exp_parents[2], v.exp_parents[3]); }},
      {"labeling_proofs[0].parents[36]",
       [](auto&, auto& v) { test::change(v.labeling[0].parents[36]); }},
      {"labeling_proofs[1].parents[6]",
       [](auto&, auto& v) { test::change(v.labeling[1].parents[6]); }},
      {"labeling_proofs[0].layer_index", [](auto&, auto& v) { v.labeling[0].layer_index = 2; }},
      {"labeling_proofs[1].node", [](auto&, auto& v) { ++v.labeling[1].node; }},
      {"labeling_proofs[0].layer_index",
       [](auto&, auto& v) { std::swap(v.labeling[0], v.labeling[1]); }},
      {"encoding_proof.parents[0]", [](auto&, auto& v) { test::change(v.encoding.parents[0]); }},
      {"encoding_proof.layer_index", [](auto&, auto& v) { v.encoding.layer_index = 1; }},
      {"encoding_proof.node", [](auto&, auto& v) { v.encoding.node = 0; }},
  };
}

void expect_named(const C1Output& c1, const std::string& section) {
  const Executor executor(2);
  const auto checked = check_vanilla_proofs(c1, executor);
  ASSERT_FALSE(checked) << section;
  EXPECT_EQ(checked.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(checked.error().section, section) << checked.error().describe();
}

TEST(VanillaCheck, NamesTheFieldThatLies) {
  std::vector<PorepLie> lies = path_lies();
  for (PorepLie& lie : column_lies()) lies.push_back(std::move(lie));
  for (const PorepLie& lie : lies) {
    C1Output c1 = c1_of_2kib();
    lie.tell(c1, c1.partitions[0][1]);
    expect_named(c1, "vanilla_proofs[0][1]." + lie.section);
  }
}

TEST(VanillaCheck, NamesWhatContradictsTheStatement) {
  C1Output c1 = c1_of_2kib();
  test::change(c1.comm_r);
  expect_named(c1, "comm_r");
  c1 = c1_of_2kib();
  c1.comm_r = Node{};
  expect_named(c1, "comm_r");
  c1 = c1_of_2kib();
  c1.comm_d = Node{};
  expect_named(c1, "comm_d");
  c1 = c1_of_2kib();
  test::change(c1.comm_d);
  expect_named(c1, "vanilla_proofs[0][0].comm_d_proofs.root");
  c1 = c1_of_2kib();
  c1.seed.fill(0);
  expect_named(c1, "seed");
  c1 = c1_of_2kib();
  c1.partitions[0].pop_back();
  expect_named(c1, "vanilla_proofs[0]");
  // Another seed or replica_id means other challenges, another version another graph.
  c1 = c1_of_2kib();
  c1.seed[0] ^= 1;
  expect_named(c1, "vanilla_proofs[0][0].comm_d_proofs.path");
  c1 = c1_of_2kib();
  c1.config = find_seal_proof("0")->config();
  ASSERT_FALSE(check_vanilla_proofs(c1, Executor(1)));
  c1 = c1_of_2kib();
  std::swap(c1.partitions[0][0], c1.partitions[0][1]);
  expect_named(c1, "vanilla_proofs[0][0].comm_d_proofs.path");
}

TEST(VanillaCheck, ReplicaThatIsNotLabelPlusData) {
  // TreeR over other leaves, with a comm_r to match: every path is right, the encoding is not.
  test::SmallSector sector = test::make_small_sector(5, ApiVersion::kV1_1);
  std::vector<Node> replica(64, Node(Fr::from_u64(7)));
  sector.tree_r = test::SmallTree(TreeHash::kPoseidon, {8, 0, 0}, replica);
  expect_named(test::prove_small_sector(sector), "vanilla_proofs[0][0].comm_r_last_proof.leaf");
}

TEST(VanillaCheck, LabelsThatAreNotHashes) {
  // A column of our own choice in a TreeC to match: only the labeling tells.
  test::SmallSector sector = test::make_small_sector(5, ApiVersion::kV1_1);
  std::vector<Node> columns;
  for (std::size_t i = 0; i < 64; ++i) {
    sector.labels[1][i] = Node(Fr::from_u64(i));
    columns.push_back(column_hash(std::array{sector.labels[0][i], sector.labels[1][i]}));
  }
  sector.tree_c = test::SmallTree(TreeHash::kPoseidon, {8, 0, 0}, columns);
  expect_named(test::prove_small_sector(sector), "vanilla_proofs[0][0].labeling_proofs[1]");
}

}  // namespace
}  // namespace belfry::filecoin
