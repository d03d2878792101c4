#include "belfry/filecoin/native/stored_tree.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "belfry/base/assert.h"
#include "belfry/base/output_file.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kStoredTreeStage = "filecoin.stored_tree";

}  // namespace

Result<StoredTree> StoredTree::open(const TreeLocation& location) {
  BELFRY_ASSERT(location.files.size() == base_trees(location.shape), "one file a base tree");
  const TreeRows rows = location.rows();
  std::vector<NodeFile> files;
  for (const std::filesystem::path& path : location.files) {
    BELFRY_TRY(NodeFile file, NodeFile::open(path, rows.stored_nodes()));
    files.push_back(std::move(file));
  }
  std::optional<NodeFile> leaves;
  if (location.first_row > 0) {
    BELFRY_TRY(leaves, NodeFile::open(location.leaves, location.nodes));
  }
  StoredTree tree(location, std::move(files), std::move(leaves));
  BELFRY_CHECK(tree.find_roots());
  return tree;
}

StoredTree::StoredTree(const TreeLocation& location, std::vector<NodeFile> files,
                       std::optional<NodeFile> leaves)
    : hash_(location.hash),
      shape_(location.shape),
      nodes_(location.nodes),
      rows_(location.rows()),
      hasher_(location.hash, location.shape.base),
      files_(std::move(files)),
      leaves_(std::move(leaves)) {}

Result<void> StoredTree::find_roots() {
  for (const NodeFile& file : files_) {
    BELFRY_TRY(const Node root, file.at(file.size() - 1));
    base_roots_.push_back(root);
  }
  root_ = join_roots(hash_, shape_, base_roots_);
  return {};
}

Result<Node> StoredTree::leaf(std::uint64_t index) const {
  BELFRY_ASSERT(index < nodes_, "a leaf of the tree");
  if (leaves_) return leaves_->at(index);
  return files_[index / rows_.leaves].at(index % rows_.leaves);
}

Result<void> StoredTree::read_row(std::uint32_t base_tree, std::uint32_t row, std::uint64_t first,
                                  std::span<Node> out) const {
  BELFRY_ASSERT(row >= rows_.first_row, "a stored row");
  return files_.at(base_tree).read(rows_.begin(row) + first, out);
}

Result<void> StoredTree::read_siblings(std::uint32_t base_tree, std::uint32_t row,
                                       std::uint64_t first, std::span<Node> out) const {
  if (row >= rows_.first_row) return read_row(base_tree, row, first, out);
  if (row == 0) {
    BELFRY_ASSERT(leaves_.has_value(), "leaves that no row holds stand in a file");
    return leaves_->read(base_tree * rows_.leaves + first, out);
  }
  if (missing_.empty()) return hash_missing(base_tree, row, first, out);
  const std::uint64_t begin = TreeRows{rows_.arity, rows_.leaves, 1}.begin(row);
  std::copy_n(missing_[base_tree].begin() + static_cast<std::ptrdiff_t>(begin + first), out.size(),
              out.begin());
  return {};
}

/// From the leaves below them.
Result<void> StoredTree::hash_missing(std::uint32_t base_tree, std::uint32_t row,
                                      std::uint64_t first, std::span<Node> out) const {
  BELFRY_ASSERT(leaves_.has_value(), "leaves that no row holds stand in a file");
  std::uint64_t spread = 1;
  for (std::uint32_t i = 0; i < row; ++i) spread *= rows_.arity;
  std::vector<Node> nodes(out.size() * spread);
  BELFRY_CHECK(leaves_->read(base_tree * rows_.leaves + first * spread, nodes));
  while (nodes.size() > out.size()) {
    std::vector<Node> parents(nodes.size() / rows_.arity);
    hasher_.hash(nodes, parents);
    nodes = std::move(parents);
  }
  std::ranges::copy(nodes, out.begin());
  return {};
}

void StoredTree::append_level(MerkleProof& proof, std::span<const Node> group,
                              std::size_t place) const {
  proof.positions.push_back(static_cast<std::uint8_t>(place));
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (i != place) proof.siblings.push_back(group[i]);
  }
}

Result<MerkleProof> StoredTree::prove(std::uint64_t leaf) const {
  MerkleProof proof;
  proof.root = root_;
  BELFRY_TRY(proof.leaf, this->leaf(leaf));
  const auto base_tree = static_cast<std::uint32_t>(leaf / rows_.leaves);
  std::uint64_t index = leaf % rows_.leaves;
  std::array<Node, kMaxArity> group{};
  const auto siblings = std::span(group).first(rows_.arity);
  for (std::uint32_t row = 0; row + 1 < rows_.rows(); ++row) {
    const std::uint64_t place = index % rows_.arity;
    BELFRY_CHECK(read_siblings(base_tree, row, index - place, siblings));
    append_level(proof, siblings, place);
    index /= rows_.arity;
  }
  if (shape_.sub == 0) return proof;
  const std::span<const Node> roots(base_roots_);
  const std::size_t family = base_tree / shape_.sub;
  append_level(proof, roots.subspan(family * shape_.sub, shape_.sub), base_tree % shape_.sub);
  if (shape_.top == 0) return proof;
  std::vector<Node> above;
  for (std::size_t i = 0; i < roots.size(); i += shape_.sub) {
    above.push_back(hash_children(hash_, roots.subspan(i, shape_.sub)));
  }
  append_level(proof, above, family);
  return proof;
}

Result<void> StoredTree::complete_tree(std::uint32_t base_tree, const WorkView& work) {
  const TreeRows missing{rows_.arity, rows_.leaves, 1};
  std::vector<Node> nodes(missing.begin(rows_.first_row));
  const auto read = [&](std::uint64_t first, std::span<Node> out) {
    return leaves_->read(base_tree * rows_.leaves + first, out);
  };
  const auto keep = [&](std::uint32_t row, std::uint64_t first,
                        std::span<const Node> row_nodes) -> Result<void> {
    if (row == 0 || row >= rows_.first_row) return {};
    const auto place = static_cast<std::ptrdiff_t>(missing.begin(row) + first);
    std::ranges::copy(row_nodes, nodes.begin() + place);
    return {};
  };
  BELFRY_TRY(const Node root, build_tree(hasher_, rows_.leaves, read, keep, work));
  if (root != base_roots_[base_tree]) {
    return fail(invalid(std::string(kStoredTreeStage), "the leaves do not lead to the stored root")
                    .in_file(files_[base_tree].path().string())
                    .in_section("root")
                    .at((files_[base_tree].size() - 1) * kNodeBytes)
                    .but(to_hex(base_roots_[base_tree].bytes()), to_hex(root.bytes())));
  }
  missing_.push_back(std::move(nodes));
  return {};
}

Result<void> StoredTree::complete(const WorkView& work) {
  if (rows_.first_row <= 1 || !missing_.empty()) return {};
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    BELFRY_CHECK(complete_tree(i, work));
  }
  return {};
}

namespace {

/// Writes one base tree; `leaves` is null if its leaf row is stored.
Result<Node> write_base_tree(const TreeLocation& location, const RowHasher& hasher,
                             std::uint32_t base_tree, const LeafSource& source, OutputFile* leaves,
                             const WorkView& work) {
  const TreeRows rows = location.rows();
  const std::uint64_t first_leaf = base_tree * rows.leaves;
  BELFRY_TRY(OutputFile file, OutputFile::create(location.files[base_tree]));
  const auto read = [&](std::uint64_t first, std::span<Node> out) {
    return source(first_leaf + first, out);
  };
  const auto write = [&](std::uint32_t row, std::uint64_t first,
                         std::span<const Node> nodes) -> Result<void> {
    if (row >= rows.first_row) {
      return file.write_at((rows.begin(row) + first) * kNodeBytes, bytes_of(nodes));
    }
    if (row > 0) return {};
    return leaves->write_at((first_leaf + first) * kNodeBytes, bytes_of(nodes));
  };
  BELFRY_TRY(const Node root, build_tree(hasher, rows.leaves, read, write, work));
  BELFRY_CHECK(file.close());
  return root;
}

}  // namespace

Result<Node> write_tree(const TreeLocation& location, const LeafSource& source,
                        const WorkView& work) {
  std::optional<OutputFile> leaves;
  if (location.first_row > 0) {
    BELFRY_TRY(OutputFile file, OutputFile::create(location.leaves));
    leaves.emplace(std::move(file));
  }
  const RowHasher hasher(location.hash, location.shape.base);
  std::vector<Node> roots;
  for (std::uint32_t i = 0; i < location.files.size(); ++i) {
    BELFRY_TRY(const Node root,
               write_base_tree(location, hasher, i, source, leaves ? &*leaves : nullptr, work));
    roots.push_back(root);
  }
  if (leaves) BELFRY_CHECK(leaves->close());
  return join_roots(location.hash, location.shape, roots);
}

}  // namespace belfry::filecoin
