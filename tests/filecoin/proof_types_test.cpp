#include "belfry/filecoin/formats/proof_types.h"

#include <gtest/gtest.h>

#include <set>

#include "belfry/filecoin/formats/parameters.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

TEST(ProofTypes, TableIsAscendingAndTreesFitTheirNodes) {
  std::uint64_t last = 0;
  for (const SectorParams& sector : sector_table()) {
    EXPECT_GT(sector.bytes, last);
    last = sector.bytes;
    std::uint64_t leaves = 1;
    for (const std::uint32_t arity : path_arities(sector.tree, sector.nodes())) leaves *= arity;
    EXPECT_EQ(leaves, sector.nodes()) << sector.name;
  }
  EXPECT_EQ(sector_table().size(), 10U);
}

TEST(ProofTypes, PathArities) {
  EXPECT_EQ(path_arities({8, 8, 2}, 1024), (std::vector<std::uint32_t>{8, 8, 8, 2}));
  EXPECT_EQ(path_arities({2, 0, 0}, 8), (std::vector<std::uint32_t>{2, 2, 2}));
  EXPECT_EQ(path_arities({8, 4, 0}, 32), (std::vector<std::uint32_t>{8, 4}));
  EXPECT_TRUE(path_arities({8, 0, 0}, 63).empty());
  EXPECT_TRUE(path_arities({8, 2, 0}, 64).empty());
  EXPECT_TRUE(path_arities({0, 0, 0}, 64).empty());
  EXPECT_TRUE(path_arities({1, 0, 0}, 64).empty());
}

TEST(ProofTypes, SealNumbersNamesAndIds) {
  const auto proofs = seal_proofs();
  ASSERT_EQ(proofs.size(), 20U);
  for (std::uint32_t i = 0; i < proofs.size(); ++i) {
    EXPECT_EQ(proofs[i].number, i);
    EXPECT_EQ(find_seal_proof(std::to_string(i))->name(), proofs[i].name());
    EXPECT_EQ(find_seal_proof(proofs[i].name())->number, i);
    EXPECT_EQ(proofs[i].config().porep_id[0], i);
  }
  EXPECT_EQ(proofs[0].name(), "StackedDrg2KiBV1");
  EXPECT_EQ(proofs[8].name(), "StackedDrg32GiBV1_1");
  EXPECT_EQ(proofs[14].name(), "StackedDrg64GiBV1_1_Feat_SyntheticPoRep");
  EXPECT_EQ(proofs[16].name(), "StackedDrg8MiBV1_2_Feat_NonInteractivePoRep");
  EXPECT_EQ(proofs[18].config().partitions(), 126U);
  EXPECT_EQ(proofs[15].config().partitions(), 13U);
  EXPECT_EQ(proofs[13].config().partitions(), 10U);
  EXPECT_EQ(proofs[13].api, ApiVersion::kV1_2);
}

TEST(ProofTypes, PostAndUpdateNames) {
  EXPECT_EQ(find_post_proof("StackedDrgWinning32GiBV1")->number, 3U);
  EXPECT_EQ(find_post_proof("StackedDrgWindow2KiBV1")->number, 5U);
  EXPECT_EQ(find_post_proof("StackedDrgWindow64GiBV1_2")->number, 14U);
  EXPECT_EQ(find_post_proof("12")->name(), "StackedDrgWindow512MiBV1_2");
  EXPECT_EQ(find_update_proof("StackedDrg32GiBV1")->number, 3U);
}

TEST(ProofTypes, UnknownNamesAreRefused) {
  for (const char* name :
       {"", "20", "StackedDrg4KiBV1", "stackeddrg2kibv1", "-1", "+1", "1x", "05", "00"}) {
    const auto found = find_seal_proof(name);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(found.error().found, name);
  }
  EXPECT_FALSE(find_post_proof("15"));
  EXPECT_FALSE(find_update_proof("5"));
  EXPECT_FALSE(find_sector("3KiB"));
  EXPECT_FALSE(find_sector(std::uint64_t{0}));
  EXPECT_EQ(find_circuit("porep-3KiB").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(find_circuit("update-1GiB"));
}

/// Whoever copies a name from Lotus or Curio learns what it is called here.
TEST(ProofTypes, NamesOfGoAreRefusedWithTheirMeaning) {
  const auto hint = [](const auto& found) {
    EXPECT_FALSE(found);
    return found ? std::string() : found.error().hint;
  };
  EXPECT_EQ(hint(find_seal_proof("RegisteredSealProof_StackedDrg32GiBV1_1")),
            "This is what Go calls StackedDrg32GiBV1_1, number 8");
  EXPECT_EQ(hint(find_seal_proof("StackedDrg2KiBV1_2_Feat_NiPoRep")),
            "This is what Go calls StackedDrg2KiBV1_2_Feat_NonInteractivePoRep, number 15");
  EXPECT_EQ(hint(find_post_proof("StackedDrgWindow64GiBV1_1")),
            "This is what Go calls StackedDrgWindow64GiBV1_2, number 14");
  EXPECT_EQ(hint(find_post_proof("RegisteredPoStProof_StackedDrgWinning8MiBV1")),
            "This is what Go calls StackedDrgWinning8MiBV1, number 1");
  EXPECT_EQ(hint(find_update_proof("RegisteredUpdateProof_StackedDrg32GiBV1")),
            "This is what Go calls StackedDrg32GiBV1, number 3");
  EXPECT_EQ(hint(find_aggregation_proof("RegisteredAggregationProof_SnarkPackV2")),
            "This is what Go calls SnarkPackV2, number 1");
  EXPECT_EQ(hint(find_seal_proof("StackedDrgWindow64GiBV1_1")), "");
}

TEST(ProofTypes, CircuitNamesAreDistinctAndFound) {
  std::set<std::string> names;
  for (const auto kind : {CircuitKind::kPorep, CircuitKind::kWinning, CircuitKind::kWindow,
                          CircuitKind::kUpdate, CircuitKind::kUpdatePoseidon}) {
    for (const Circuit& circuit : circuits(kind)) {
      EXPECT_TRUE(names.insert(circuit.name()).second);
      const auto found = find_circuit(circuit.name());
      ASSERT_TRUE(found) << circuit.name();
      EXPECT_EQ(found->kind, kind);
      EXPECT_EQ(found->sector, circuit.sector);
    }
  }
  EXPECT_EQ(circuits(CircuitKind::kPorep).size(), 10U);
  EXPECT_TRUE(names.contains("porep-32GiB"));
}

TEST(Parameters, TheTwentyTwoPublishedNames) {
  const test::JsonFile file("filecoin/parameter-names.json");
  std::size_t count = 0;
  for (const auto row : file.root().get_array()) {
    const auto circuit = find_circuit(test::text(row["circuit"]));
    ASSERT_TRUE(circuit);
    EXPECT_EQ(parameter_stem(*circuit), test::text(row["name"]));
    const auto published = find_published(*circuit);
    ASSERT_TRUE(published);
    EXPECT_EQ(published->params.digest, test::text(row["params_digest"]));
    EXPECT_EQ(published->vk.digest, test::text(row["vk_digest"]));
    ++count;
  }
  EXPECT_EQ(count, 22U);
  EXPECT_EQ(published_parameters().size(), count);
  EXPECT_FALSE(find_published(*find_circuit("porep-4KiB")));
}

}  // namespace
}  // namespace belfry::filecoin
