#include <gtest/gtest.h>

#include <array>

#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/ids.h"
#include "belfry/filecoin/native/labels.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/hash/sha256.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

using test::api_version;

std::vector<std::uint64_t> numbers(simdjson::dom::element list) {
  std::vector<std::uint64_t> out;
  for (const auto value : list.get_array()) out.push_back(test::number(value));
  return out;
}

template <std::size_t N>
std::vector<std::uint64_t> to_vector(const std::array<std::uint64_t, N>& values) {
  return {values.begin(), values.end()};
}

Bytes32 porep_id(std::uint64_t first_byte) {
  Bytes32 id{};
  id[0] = static_cast<std::uint8_t>(first_byte);
  return id;
}

Node small_node(std::uint64_t value) { return FrBytes(Fr::from_u64(value)); }

TEST(ProverId, Leb128) {
  const auto hex = [](std::uint64_t miner) { return to_hex(prover_id(miner)).substr(0, 22); };
  EXPECT_EQ(hex(0), "0000000000000000000000");
  EXPECT_EQ(hex(1), "0100000000000000000000");
  EXPECT_EQ(hex(127), "7f00000000000000000000");
  EXPECT_EQ(hex(128), "8001000000000000000000");
  EXPECT_EQ(hex(1000), "e807000000000000000000");
  EXPECT_EQ(hex(~std::uint64_t{0}), "ffffffffffffffffff0100");
}

TEST(Graph, GoldenParents) {
  const test::JsonFile golden("filecoin/native.json");
  std::size_t count = 0;
  for (const auto row : golden["graph"].get_array()) {
    const std::uint64_t node = test::number(row["node"]);
    const Graph graph(test::number(row["nodes"]), porep_id(test::number(row["porep_id"])),
                      api_version(test::text(row["api"])));
    EXPECT_EQ(to_vector(graph.drg_parents(node)), numbers(row["drg"]));
    EXPECT_EQ(to_vector(graph.expander_parents(node)), numbers(row["expander"]));
    ++count;
  }
  EXPECT_EQ(count, 32U);
}

TEST(Graph, ParentCacheDigests) {
  const test::JsonFile golden("filecoin/native.json");
  for (const auto row : golden["parents_cache"].get_array()) {
    const std::uint64_t nodes = test::number(row["nodes"]);
    if (nodes > 64) continue;  // the larger ones are slow: native_slow_test.cpp
    EXPECT_EQ(test::parent_cache_digest(nodes, porep_id(test::number(row["porep_id"])),
                                        api_version(test::text(row["api"]))),
              test::text(row["digest"]));
  }
}

TEST(Challenges, GoldenRules) {
  const test::JsonFile golden("filecoin/native.json");
  Bytes32 seed;
  seed.fill(1);
  for (const auto row : golden["challenges"].get_array()) {
    const std::uint64_t nodes = test::number(row["nodes"]);
    std::vector<std::uint64_t> found;
    for (std::uint32_t j = 0; j < 6; ++j) {
      found.push_back(test::text(row["rule"]) == "interactive"
                          ? interactive_challenge(nodes, small_node(55), seed, j)
                          : non_interactive_challenge(nodes, small_node(55), small_node(101), j));
    }
    EXPECT_EQ(found, numbers(row["values"]));
  }
}

TEST(Challenges, GoldenSyntheticSet) {
  const test::JsonFile golden("filecoin/native.json");
  const auto row = golden["synthetic"];
  const SyntheticSet set(test::number(row["nodes"]), test::number(row["size"]), small_node(55),
                         small_node(101));
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < test::number(row["size"]); ++i) all.push_back(set.challenge(i));
  EXPECT_EQ(all, numbers(row["set"]));
  Bytes32 seed;
  seed.fill(1);
  std::vector<std::uint64_t> indices;
  for (std::uint32_t j = 0; j < 10; ++j) indices.push_back(set.selected(seed, j));
  EXPECT_EQ(indices, numbers(row["indices"]));
  EXPECT_EQ(SyntheticSet::production_size(64), 64U);
  EXPECT_EQ(SyntheticSet::production_size(std::uint64_t{1} << 30), std::uint64_t{1} << 18);
}

TEST(Challenges, PartitionsContinueTheSequenceAndAvoidNodeZero) {
  for (const SealProof& proof : seal_proofs()) {
    const PorepConfig config = proof.config();
    const ChallengeInputs inputs{small_node(55), small_node(101), porep_id(1)};
    const auto first = porep_challenges(config, inputs, 0);
    const auto last = porep_challenges(config, inputs, config.partitions() - 1);
    EXPECT_EQ(first.size(), config.sector->challenges);
    EXPECT_EQ(last.size(), config.sector->challenges);
    for (const std::uint64_t challenge : last) {
      EXPECT_GE(challenge, 1U);
      EXPECT_LT(challenge, config.sector->nodes());
    }
  }
}

TEST(Labels, LastOfElevenLayers) {
  const test::JsonFile golden("filecoin/native.json");
  for (const auto row : golden["last_labels"].get_array()) {
    const std::uint64_t nodes = test::number(row["nodes"]);
    Bytes32 id;
    id.fill(static_cast<std::uint8_t>(test::number(row["porep_byte"])));
    Bytes32 replica;
    replica.fill(9);
    const Graph graph(nodes, id, api_version(test::text(row["api"])));
    const auto layers = test::make_labels(graph, nodes, 11, *FrBytes::parse(replica));
    std::array<std::uint8_t, 32> expected{};
    std::size_t place = 0;
    for (const auto limb : row["limbs"].get_array()) {
      const auto bytes = from_hex(test::text(limb));
      for (std::size_t i = 8; i-- > 0;) expected[place++] = (*bytes)[i];
    }
    EXPECT_EQ(layers.back().back().bytes(), expected);
  }
}

TEST(Trees, TextbookPathRoots) {
  // A tree 8-2-0 over 128 leaves, level by level, against path_root for every leaf.
  const TreeShape shape{8, 2, 0};
  std::vector<Node> leaves;
  for (std::uint64_t i = 0; i < 128; ++i) leaves.push_back(small_node(i * i + 7));
  const test::SmallTree tree(TreeHash::kPoseidon, shape, leaves);
  const auto arities = path_arities(shape, leaves.size());
  for (std::uint64_t i = 0; i < leaves.size(); i += 13) {
    MerkleProof proof = tree.prove(i);
    EXPECT_EQ(path_root(TreeHash::kPoseidon, arities, proof), tree.root());
    EXPECT_EQ(path_index(arities, proof.positions), i);
    std::swap(proof.siblings[0], proof.siblings[1]);
    EXPECT_NE(path_root(TreeHash::kPoseidon, arities, proof), tree.root());
  }
}

TEST(Trees, TwoKibCommitments) {
  const test::JsonFile golden("filecoin/native.json");
  for (const auto row : golden["porep_2kib"].get_array()) {
    const test::SmallSector sector =
        test::make_small_sector(test::number(row["porep_id"]), api_version(test::text(row["api"])));
    const auto expect = [&](const char* key, const Node& node) {
      EXPECT_EQ(node.to_fr(), test::fr_from_big_endian(test::text(row[key]))) << key;
    };
    expect("label_1_0", sector.labels[0][0]);
    expect("label_1_1", sector.labels[0][1]);
    expect("label_2_63", sector.labels[1][63]);
    expect("comm_d", sector.tree_d.root());
    expect("comm_c", sector.tree_c.root());
    expect("comm_r_last", sector.tree_r.root());
    expect("comm_r", comm_r(sector.tree_c.root(), sector.tree_r.root()));
  }
}

TEST(ReplicaId, OfTheSealedVectors) {
  for (const char* name :
       {"porep-2kib-v1_1", "porep-2kib-v1_0", "porep-2kib-v1_2-synthetic", "porep-2kib-ni"}) {
    const test::JsonFile sector(std::string(name) + "/sector.json");
    const auto proof = find_seal_proof(test::text(sector["registered_proof"]));
    ASSERT_TRUE(proof) << name;
    const auto bytes = [&](const char* key) {
      return *bytes32_from_hex(std::string_view(sector[key]));
    };
    EXPECT_EQ(bytes("prover_id"), prover_id(test::number(sector["miner"])));
    const ReplicaIdInputs inputs{bytes("prover_id"), test::number(sector["sector_number"]),
                                 bytes("ticket"), *FrBytes::parse(bytes("comm_d")),
                                 proof->config().porep_id};
    EXPECT_EQ(to_hex(replica_id(inputs).bytes()), test::text(sector["replica_id"])) << name;
  }
}

}  // namespace
}  // namespace belfry::filecoin
