#include "belfry/filecoin/native/layers.h"

#include <gtest/gtest.h>

#include <vector>

#include "belfry/base/write_file.h"
#include "belfry/filecoin/native/labels.h"
#include "belfry/filecoin/porep/sparse_tree.h"
#include "filecoin/small_sector.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

Bytes32 filled(std::uint8_t byte) {
  Bytes32 out{};
  out.fill(byte);
  return out;
}

std::vector<Node> last_layer(const Graph& graph, std::uint64_t nodes, const Node& replica_id,
                             std::uint32_t layers, const Executor& executor) {
  std::vector<Node> below;
  std::vector<Node> labels(nodes);
  for (std::uint32_t layer = 1; layer <= layers; ++layer) {
    EXPECT_TRUE(make_layer(graph, replica_id, layer, below, labels, {.executor = executor}));
    below = labels;
  }
  return labels;
}

TEST(Layers, GoldenLabelsOfElevenLayers) {
  struct Row {
    std::uint64_t nodes;
    std::uint8_t porep_id;
    ApiVersion api;
    Fr::Limbs label;
  };
  const Row rows[] = {
      {64,
       0,
       ApiVersion::kV1_0,
       {0xd3faa96b9a0fba04, 0xea81a283d106485e, 0xe3d51b9afa5ac2b3, 0x0462f4f4f1a68d37}},
      {128,
       0,
       ApiVersion::kV1_0,
       {0x7e191e52c4a8da86, 0x5ae8a1c9e6fac148, 0xce239f3b88a894b8, 0x234c00d1dc1d53be}},
      {64,
       0x7b,
       ApiVersion::kV1_1,
       {0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc, 0x06021188c7a71cb5}},
      {128,
       0x7b,
       ApiVersion::kV1_2,
       {0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23, 0x0f777c18cc2c55bd}}};
  const Executor executor(2);
  const Node replica_id = *FrBytes::parse(filled(9));
  for (const Row& row : rows) {
    Graph graph(row.nodes, filled(row.porep_id), row.api);
    EXPECT_EQ(last_layer(graph, row.nodes, replica_id, 11, executor).back().limbs(), row.label);
    graph.tabulate();
    EXPECT_EQ(last_layer(graph, row.nodes, replica_id, 11, executor).back().limbs(), row.label);
  }
}

TEST(Layers, EqualTheDefinitionOverSeveralRuns) {
  constexpr std::uint64_t kNodes = 16384;
  const Executor executor(2);
  const Node replica_id = filler_node(3, 4, 5);
  Graph graph(kNodes, filled(2), ApiVersion::kV1_2);
  graph.tabulate();
  std::vector<std::vector<Node>> layers(2, std::vector<Node>(kNodes));
  ASSERT_TRUE(make_layer(graph, replica_id, 1, {}, layers[0], {.executor = executor}));
  ASSERT_TRUE(make_layer(graph, replica_id, 2, layers[0], layers[1], {.executor = executor}));
  for (const std::uint32_t layer : {1U, 2U}) {
    EXPECT_EQ(layers[layer - 1][0], label(replica_id, layer, 0, {}));
    for (const std::uint64_t node : {1U, 2U, 4095U, 4096U, 4097U, 8191U, 16383U}) {
      const auto parents = test::hashed_parents(graph, layers, layer, node);
      EXPECT_EQ(layers[layer - 1][node], label(replica_id, layer, node, parents)) << node;
    }
  }
}

TEST(Layers, StopWhenAsked) {
  const Executor executor(1);
  CancelSource cancel;
  cancel.cancel();
  std::vector<Node> labels(64);
  const auto stopped = make_layer(Graph(64, filled(1), ApiVersion::kV1_1), Node(), 1, {}, labels,
                                  {.executor = executor, .cancel = cancel.token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST(Graph, TablesChangeNothing) {
  for (const ApiVersion api : {ApiVersion::kV1_0, ApiVersion::kV1_1}) {
    for (const std::uint64_t nodes : {64U, 128U, 1U << 18U}) {
      const Graph plain(nodes, filled(7), api);
      Graph tabulated = plain;
      tabulated.tabulate();
      for (std::uint64_t node = 0; node < nodes; node += 1 + nodes / 100) {
        ASSERT_EQ(plain.parents(node), tabulated.parents(node)) << node;
      }
    }
  }
}

TEST(Layers, ColumnsAreHashedFromFiles) {
  const test::TempDir dir;
  std::vector<std::vector<Node>> labels(2);
  std::vector<NodeFile> files;
  for (std::size_t layer = 0; layer < labels.size(); ++layer) {
    for (std::uint64_t i = 0; i < 20; ++i) labels[layer].push_back(filler_node(9, layer, i));
    const auto path = dir / std::to_string(layer);
    ASSERT_TRUE(write_file(path, bytes_of(labels[layer])));
    auto file = NodeFile::open(path, 20);
    ASSERT_TRUE(file);
    files.push_back(std::move(*file));
  }
  std::vector<Node> columns(9);
  ASSERT_TRUE(column_hashes(files)(7, columns));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<Node> column{labels[0][7 + i], labels[1][7 + i]};
    EXPECT_EQ(columns[i], column_hash(column));
  }
}

TEST(Layers, ReplicaIsTheSumModuloTheOrder) {
  const std::vector<Node> labels{filler_node(1, 1, 1), FrBytes(-Fr::one()), FrBytes(-Fr::one())};
  const std::vector<Node> data{filler_node(1, 1, 2), FrBytes(Fr::one()), FrBytes(-Fr::one())};
  std::vector<Node> replica(3);
  encode_replica(labels, data, replica);
  for (std::size_t i = 0; i < replica.size(); ++i) {
    EXPECT_EQ(replica[i], FrBytes(labels[i].to_fr() + data[i].to_fr()));
  }
}

}  // namespace
}  // namespace belfry::filecoin
