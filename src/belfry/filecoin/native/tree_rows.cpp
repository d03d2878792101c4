#include "belfry/filecoin/native/tree_rows.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>

#include "belfry/base/assert.h"
#include "belfry/filecoin/native/node_file.h"
#include "belfry/hash/poseidon_batch.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

/// Leaves of one piece of work: 2^12 = 8^4, a whole subtree of either arity.
constexpr std::uint64_t kLeafRun = 4096;

/// The first failure among workers, and the lock that makes sinks take turns.
class Turn {
 public:
  [[nodiscard]] bool failed() {
    const std::scoped_lock lock(mutex_);
    return error_.has_value();
  }
  void fail(Error error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  void take(const std::function<Result<void>()>& step) {
    const std::scoped_lock lock(mutex_);
    if (error_) return;
    if (auto done = step(); !done) error_ = std::move(done.error());
  }
  [[nodiscard]] Result<void> result() const {
    if (error_) return belfry::fail(*error_);
    return {};
  }

 private:
  std::mutex mutex_;
  std::optional<Error> error_;
};

/// Hands a subtree to the sink: its leaves are `nodes`, at place `first` of row `row`. Returns its
/// root.
Result<Node> build_subtree(const RowHasher& hasher, std::uint32_t row, std::uint64_t first,
                           std::vector<Node> nodes, const RowSink& sink) {
  BELFRY_CHECK(sink(row, first, nodes));
  while (nodes.size() > 1) {
    std::vector<Node> parents(nodes.size() / hasher.arity());
    hasher.hash(nodes, parents);
    first /= hasher.arity();
    ++row;
    BELFRY_CHECK(sink(row, first, parents));
    nodes = std::move(parents);
  }
  return nodes.front();
}

}  // namespace

std::uint32_t TreeRows::rows() const noexcept {
  std::uint32_t count = 1;
  for (std::uint64_t left = leaves; left > 1; left /= arity) ++count;
  return count;
}

std::uint64_t TreeRows::width(std::uint32_t row) const noexcept {
  std::uint64_t nodes = leaves;
  for (std::uint32_t i = 0; i < row; ++i) nodes /= arity;
  return nodes;
}

std::uint64_t TreeRows::begin(std::uint32_t row) const noexcept {
  std::uint64_t nodes = 0;
  for (std::uint32_t i = first_row; i < row; ++i) nodes += width(i);
  return nodes;
}

std::uint32_t rows_to_discard(std::uint64_t leaves) noexcept {
  constexpr std::uint32_t kArity = 8;
  constexpr std::uint32_t kMost = 2;
  // Leaves and root always stay.
  const std::uint32_t rows = TreeRows{kArity, leaves}.rows();
  return rows <= 2 ? 0 : std::min(rows - 2, kMost);
}

Node join_roots(TreeHash hash, const TreeShape& shape, std::span<const Node> base_roots) {
  BELFRY_ASSERT(base_roots.size() == base_trees(shape), "one root for each base tree");
  std::vector<Node> roots(base_roots.begin(), base_roots.end());
  for (const std::uint32_t arity : {shape.sub, shape.top}) {
    if (arity == 0) continue;
    std::vector<Node> parents;
    for (std::size_t i = 0; i < roots.size(); i += arity) {
      parents.push_back(hash_children(hash, std::span<const Node>(roots).subspan(i, arity)));
    }
    roots = std::move(parents);
  }
  return roots.front();
}

RowHasher::RowHasher(TreeHash hash, std::uint32_t arity) : arity_(arity) {
  BELFRY_ASSERT(arity >= 2 && arity <= kMaxArity, "trees have arities 2 to 8");
  BELFRY_ASSERT(hash == TreeHash::kPoseidon || arity == 2, "data trees are binary");
  if (hash == TreeHash::kPoseidon) batch_ = std::make_shared<const hash::PoseidonBatch>(arity);
}

void RowHasher::hash(std::span<const Node> children, std::span<Node> parents) const noexcept {
  BELFRY_ASSERT(children.size() == arity_ * parents.size(), "arity children a parent");
  if (parents.empty()) return;
  if (batch_ == nullptr) {
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const Bytes32 digest =
          hash::sha256_node(children[2 * i].bytes(), children[2 * i + 1].bytes());
      parents[i] = known_node(digest);
    }
    return;
  }
  std::array<const Node*, kMaxArity> first{};
  for (std::size_t i = 0; i < arity_; ++i) first.at(i) = &children[i];
  batch_->hash({std::span(first).first(arity_), arity_}, parents);
}

Result<Node> build_tree(const RowHasher& hasher, std::uint64_t leaves, const LeafSource& source,
                        const RowSink& sink, const WorkView& work) {
  const std::uint64_t run = std::min(leaves, kLeafRun);
  const std::uint32_t run_rows = TreeRows{hasher.arity(), run}.rows();
  std::vector<Node> roots(leaves / run);
  Turn turn;
  const RowSink in_turn = [&](std::uint32_t row, std::uint64_t first,
                              std::span<const Node> nodes) -> Result<void> {
    turn.take([&] { return sink(row, first, nodes); });
    return {};
  };
  work.executor.for_each(roots.size(), [&](std::size_t i) {
    if (turn.failed()) return;
    if (auto go_on = work.cancel.check("filecoin.tree"); !go_on) return turn.fail(go_on.error());
    std::vector<Node> nodes(run);
    if (auto read = source(i * run, nodes); !read) return turn.fail(std::move(read.error()));
    auto root = build_subtree(hasher, 0, i * run, std::move(nodes), in_turn);
    if (root) roots[i] = *root;
    work.done(run);
  });
  BELFRY_CHECK(turn.result());
  if (roots.size() == 1) return roots.front();
  // The roots of the runs have been seen.
  const RowSink above = [&](std::uint32_t row, std::uint64_t first, std::span<const Node> nodes) {
    return row + 1 == run_rows ? Result<void>() : sink(row, first, nodes);
  };
  return build_subtree(hasher, run_rows - 1, 0, std::move(roots), above);
}

}  // namespace belfry::filecoin
