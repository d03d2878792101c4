#include "belfry/filecoin/native/stored_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "belfry/filecoin/porep/sparse_tree.h"
#include "filecoin/cases.h"
#include "filecoin/sealed_sector.h"
#include "support/temp_dir.h"

namespace belfry::filecoin {
namespace {

Node leaf_of(std::uint64_t index) { return filler_node(1, 2, index); }

Result<void> leaves(std::uint64_t first, std::span<Node> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = leaf_of(first + i);
  return {};
}

struct TreeCase {
  TreeHash hash;
  TreeShape shape;
  std::uint64_t nodes;
  std::uint32_t first_row;
};

/// A tree in a folder of its own.
struct WrittenTree {
  explicit WrittenTree(const TreeCase& tree)
      : location{tree.hash, tree.shape, tree.nodes, tree.first_row, {}, dir / "leaves"} {
    for (std::uint32_t i = 0; i < base_trees(tree.shape); ++i) {
      location.files.push_back(dir / ("tree-" + std::to_string(i)));
    }
    const auto root = write_tree(location, leaves, {.executor = test::executor()});
    EXPECT_TRUE(root) << root.error().describe();
    written = root.value_or(Node());
  }
  test::TempDir dir;
  TreeLocation location;
  Node written;
};

void expect_paths(const StoredTree& tree, const TreeLocation& location) {
  const auto arities = path_arities(location.shape, location.nodes);
  const std::uint64_t step = std::max<std::uint64_t>(1, location.nodes / 61);
  for (std::uint64_t leaf = 0; leaf < location.nodes; leaf += step) {
    const auto proof = tree.prove(leaf);
    ASSERT_TRUE(proof) << proof.error().describe();
    EXPECT_EQ(proof->leaf, leaf_of(leaf));
    EXPECT_EQ(proof->root, tree.root());
    EXPECT_EQ(path_index(arities, proof->positions), leaf);
    ASSERT_EQ(path_root(location.hash, arities, *proof), tree.root()) << leaf;
  }
}

class StoredTreeOf : public testing::TestWithParam<TreeCase> {};

TEST_P(StoredTreeOf, IsReadBackWithPaths) {
  const WrittenTree written(GetParam());
  auto tree = StoredTree::open(written.location);
  ASSERT_TRUE(tree) << tree.error().describe();
  EXPECT_EQ(tree->root(), written.written);
  expect_paths(*tree, written.location);
  ASSERT_TRUE(tree->complete({.executor = test::executor()}));
  expect_paths(*tree, written.location);
}

INSTANTIATE_TEST_SUITE_P(Shapes, StoredTreeOf,
                         testing::Values(TreeCase{TreeHash::kSha256, kDataTree, 1, 0},
                                         TreeCase{TreeHash::kSha256, kDataTree, 2, 0},
                                         TreeCase{TreeHash::kSha256, kDataTree, 16384, 0},
                                         TreeCase{TreeHash::kPoseidon, {8, 0, 0}, 64, 0},
                                         TreeCase{TreeHash::kPoseidon, {8, 0, 0}, 64, 2},
                                         TreeCase{TreeHash::kPoseidon, {8, 0, 0}, 32768, 3},
                                         TreeCase{TreeHash::kPoseidon, {8, 2, 0}, 128, 2},
                                         TreeCase{TreeHash::kPoseidon, {8, 8, 2}, 1024, 0},
                                         TreeCase{TreeHash::kPoseidon, {8, 8, 2}, 1024, 2}));

TEST(TreeRows, AreThoseOfTheReference) {
  const TreeRows large{8, std::uint64_t{1} << 27};
  EXPECT_EQ(large.rows(), 10U);
  EXPECT_EQ(large.stored_nodes(), 153391689U);
  const TreeRows replica{8, std::uint64_t{1} << 27, 1 + rows_to_discard(large.leaves)};
  EXPECT_EQ(replica.stored_nodes(), 299593U);
  EXPECT_EQ((TreeRows{8, std::uint64_t{1} << 18, 3}.stored_nodes()), 512U + 64 + 8 + 1);
  EXPECT_EQ((TreeRows{2, 64}.stored_nodes()), 127U);
  EXPECT_EQ(rows_to_discard(1), 0U);
  EXPECT_EQ(rows_to_discard(8), 0U);
  EXPECT_EQ(rows_to_discard(64), 1U);
  EXPECT_EQ(rows_to_discard(512), 2U);
}

TEST(TreeRows, StopsWhereSourceOrSinkFail) {
  const RowHasher hasher(TreeHash::kSha256, 2);
  const auto no_sink = [](std::uint32_t, std::uint64_t, std::span<const Node>) {
    return Result<void>();
  };
  const auto bad_source = [](std::uint64_t first, std::span<Node> out) -> Result<void> {
    if (first > 0) return fail(invalid("test", "source"));
    return leaves(first, out);
  };
  const auto of_source =
      build_tree(hasher, 16384, bad_source, no_sink, {.executor = test::executor()});
  ASSERT_FALSE(of_source);
  EXPECT_EQ(of_source.error().message, "source");
  const auto bad_sink = [](std::uint32_t row, std::uint64_t,
                           std::span<const Node>) -> Result<void> {
    if (row == 13) return fail(invalid("test", "sink"));
    return {};
  };
  const auto of_sink = build_tree(hasher, 16384, leaves, bad_sink, {.executor = test::executor()});
  ASSERT_FALSE(of_sink);
  EXPECT_EQ(of_sink.error().message, "sink");
  CancelSource cancel;
  cancel.cancel();
  const auto cancelled = build_tree(hasher, 16384, leaves, no_sink,
                                    {.executor = test::executor(), .cancel = cancel.token()});
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
}

TEST(StoredTree, RefusesDamagedFiles) {
  const WrittenTree written({TreeHash::kPoseidon, {8, 0, 0}, 512, 3});
  const auto tree_bytes = test::file_bytes(written.location.files[0]);
  const auto leaf_bytes = test::file_bytes(written.location.leaves);

  for (const std::size_t size : {0U, 31U, 33U, 64U}) {
    test::overwrite(written.location.files[0], std::vector<std::uint8_t>(size));
    const auto refused = StoredTree::open(written.location);
    ASSERT_FALSE(refused) << size;
    EXPECT_EQ(refused.error().file, written.location.files[0].string());
  }
  test::overwrite(written.location.files[0], std::vector<std::uint8_t>(32, 0xff));
  const auto root = StoredTree::open(written.location);
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().offset, 0U);

  test::overwrite(written.location.files[0], tree_bytes);
  test::overwrite(written.location.leaves, {leaf_bytes.begin(), leaf_bytes.end() - 1});
  EXPECT_FALSE(StoredTree::open(written.location));
  auto above_modulus = leaf_bytes;
  std::fill_n(above_modulus.begin() + 320, 32, std::uint8_t{0xff});
  test::overwrite(written.location.leaves, above_modulus);
  const auto tree = StoredTree::open(written.location);
  ASSERT_TRUE(tree);
  const auto proof = tree->prove(8);
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().offset, 320U);
  EXPECT_EQ(proof.error().file, written.location.leaves.string());

  test::overwrite(written.location.leaves, leaf_bytes);
  test::damage(written.location.leaves, 321);
  auto other = StoredTree::open(written.location);
  ASSERT_TRUE(other);
  const auto complete = other->complete({.executor = test::executor()});
  ASSERT_FALSE(complete);
  EXPECT_EQ(complete.error().code, ErrorCode::kInvalidInput);
}

TEST(StoredTree, MissingFilesAreNamed) {
  const test::TempDir dir;
  const auto tree = StoredTree::open({TreeHash::kSha256, kDataTree, 2, 0, {dir / "tree"}, {}});
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(tree.error().file, (dir / "tree").string());
}

}  // namespace
}  // namespace belfry::filecoin
