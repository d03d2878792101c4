#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/filecoin/native/node_file.h"
#include "belfry/filecoin/native/tree_rows.h"

namespace belfry::filecoin {

/// Where a tree of `nodes` leaves lies: one file a base tree, rows from `first_row` on. If the leaf
/// row is not stored, `leaves` is the file of the leaves of all base trees.
struct TreeLocation {
  TreeHash hash;
  TreeShape shape;
  std::uint64_t nodes;
  std::uint32_t first_row = 0;
  std::vector<std::filesystem::path> files{};  // (base_trees(shape))
  std::filesystem::path leaves{};

  /// The rows of each base tree.
  [[nodiscard]] TreeRows rows() const noexcept {
    return {shape.base, nodes / base_trees(shape), first_row};
  }
};

/// A tree in files, for who wants paths. What is not stored is hashed again when a path needs it.
/// Files are checked for size when opened and for canonical nodes when read; whether parents are
/// the hashes of their children is for who checks the path. Move-only; const use is thread-safe.
class StoredTree {
 public:
  [[nodiscard]] static Result<StoredTree> open(const TreeLocation& location);

  [[nodiscard]] const Node& root() const noexcept { return root_; }
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] Result<Node> leaf(std::uint64_t index) const;
  /// Nodes of one base tree's stored row.
  [[nodiscard]] Result<void> read_row(std::uint32_t base_tree, std::uint32_t row,
                                      std::uint64_t first, std::span<Node> out) const;
  /// The path of a leaf below nodes(). With d rows missing above the leaves: 8^d + ... hashes,
  /// unless `complete` was called.
  [[nodiscard]] Result<MerkleProof> prove(std::uint64_t leaf) const;
  /// Hashes the missing rows once and keeps them, so that `prove` does not hash: for who wants many
  /// paths. Memory: a seventh of the leaves. Also fails with kInvalidInput if they do not lead to
  /// the stored rows.
  [[nodiscard]] Result<void> complete(const WorkView& work);

 private:
  StoredTree(const TreeLocation& location, std::vector<NodeFile> files,
             std::optional<NodeFile> leaves);
  [[nodiscard]] Result<void> find_roots();
  [[nodiscard]] Result<void> read_siblings(std::uint32_t base_tree, std::uint32_t row,
                                           std::uint64_t first, std::span<Node> out) const;
  [[nodiscard]] Result<void> hash_missing(std::uint32_t base_tree, std::uint32_t row,
                                          std::uint64_t first, std::span<Node> out) const;
  [[nodiscard]] Result<void> complete_tree(std::uint32_t base_tree, const WorkView& work);
  void append_level(MerkleProof& proof, std::span<const Node> group, std::size_t place) const;

  TreeHash hash_;
  TreeShape shape_;
  std::uint64_t nodes_;
  TreeRows rows_;
  RowHasher hasher_;
  std::vector<NodeFile> files_;
  std::optional<NodeFile> leaves_;
  std::vector<Node> base_roots_;
  Node root_;
  /// Per base tree rows 1 .. first_row - 1, one after the other, once completed.
  std::vector<std::vector<Node>> missing_;
};

/// Makes a tree from leaves 0 .. nodes - 1 and writes its files, which do not exist yet; if the
/// leaf row is not among the stored ones, it goes into the file of the leaves. Returns the root.
/// Fails as build_tree or OutputFile, and then leaves what there is: it is for folders that are
/// committed as a whole.
[[nodiscard]] Result<Node> write_tree(const TreeLocation& location, const LeafSource& source,
                                      const WorkView& work);

}  // namespace belfry::filecoin
