#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/native/work.h"

namespace belfry::hash {
class PoseidonBatch;
}

/// Whole Merkle trees, row by row: how they lie in files and how they are made (formats.md 3.8,
/// 3.9). A tree of shape a-b-c consists of base trees of arity a over equal runs of leaves; their
/// roots are joined by b and c.
namespace belfry::filecoin {

/// The rows of one base tree from the leaves to the root, concatenated in this order, of which the
/// rows below `first_row` are not stored. `leaves` is a power of `arity`.
struct TreeRows {
  std::uint32_t arity;
  std::uint64_t leaves;
  std::uint32_t first_row = 0;

  /// Rows of the tree, leaves and root included.
  [[nodiscard]] std::uint32_t rows() const noexcept;
  /// Nodes of a row.
  [[nodiscard]] std::uint64_t width(std::uint32_t row) const noexcept;
  /// Where a stored row begins, in nodes.
  [[nodiscard]] std::uint64_t begin(std::uint32_t row) const noexcept;
  /// Nodes of all stored rows.
  [[nodiscard]] std::uint64_t stored_nodes() const noexcept { return begin(rows()); }
};

/// The lowest rows above the leaves that the reference does not store of an 8-ary base tree.
[[nodiscard]] std::uint32_t rows_to_discard(std::uint64_t leaves) noexcept;

/// Base trees of a shape, and the leaves of each in a tree of `nodes` leaves.
[[nodiscard]] constexpr std::uint32_t base_trees(const TreeShape& shape) noexcept {
  return (shape.sub == 0 ? 1 : shape.sub) * (shape.top == 0 ? 1 : shape.top);
}
/// The root above the roots of all base trees.
[[nodiscard]] Node join_roots(TreeHash hash, const TreeShape& shape,
                              std::span<const Node> base_roots);

/// Hashes rows of one tree. Immutable, thread-safe.
class RowHasher {
 public:
  RowHasher(TreeHash hash, std::uint32_t arity);

  [[nodiscard]] std::uint32_t arity() const noexcept { return arity_; }
  /// parents[i] = H(children[i·arity], ...); `children` has arity·parents.size() nodes.
  void hash(std::span<const Node> children, std::span<Node> parents) const noexcept;

 private:
  std::uint32_t arity_;
  std::shared_ptr<const hash::PoseidonBatch> batch_;  ///< null: SHA-256
};

/// Fills `out` with the leaves from `first` on; called by several workers.
using LeafSource = std::function<Result<void>(std::uint64_t first, std::span<Node> out)>;
/// Takes nodes of a row from `first` on, at most one call at a time, in any order.
using RowSink = std::function<Result<void>(std::uint32_t row, std::uint64_t first,
                                           std::span<const Node> nodes)>;

/// Makes a base tree and returns its root; `sink` sees every node of every row once. Leaves are
/// asked for in runs of up to 4096, of which each worker holds one with the rows above it. Fails
/// with what source or sink fail with, or kCancelled. Counts leaves as done.
[[nodiscard]] Result<Node> build_tree(const RowHasher& hasher, std::uint64_t leaves,
                                      const LeafSource& source, const RowSink& sink,
                                      const WorkView& work);

}  // namespace belfry::filecoin
