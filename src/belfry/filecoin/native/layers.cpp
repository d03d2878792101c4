#include "belfry/filecoin/native/layers.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/filecoin/native/labels.h"
#include "belfry/hash/poseidon_batch.h"

namespace belfry::filecoin {
namespace {

/// Nodes whose parents are fetched at a time; two such runs of two megabytes exist.
constexpr std::uint64_t kLabelRun = 4096;

/// What a label needs beside the labels of its own layer.
struct Fetched {
  std::array<std::uint32_t, kDrgParents> drg;
  std::array<Node, kParents> labels;  ///< expander parents behind room for the others
};

/// Collects what labels need. Numbers of nodes fit into 32 bits: the largest sector has 2^31.
class ParentFetcher {
 public:
  ParentFetcher(const Graph& graph, std::span<const Node> below, std::uint64_t nodes)
      : graph_(graph), below_(below), nodes_(nodes) {}

  /// The run that begins at `first`, nothing behind the last node.
  void fetch(std::uint64_t first, std::vector<Fetched>& run, const Executor& executor) const {
    constexpr std::size_t kGrain = 256;
    run.resize(first < nodes_ ? std::min(kLabelRun, nodes_ - first) : 0);
    executor.parallel_for(run.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) fetch_node(first + i, run[i]);
    });
  }

 private:
  void fetch_node(std::uint64_t node, Fetched& out) const {
    const auto drg = graph_.drg_parents(node);
    for (std::size_t i = 0; i < kDrgParents; ++i) {
      out.drg.at(i) = static_cast<std::uint32_t>(drg.at(i));
    }
    if (below_.empty()) return;
    const auto expander = graph_.expander_parents(node);
    for (std::size_t i = 0; i < kExpanderParents; ++i) {
      out.labels.at(kDrgParents + i) = below_[expander.at(i)];
    }
  }

  const Graph& graph_;
  std::span<const Node> below_;
  std::uint64_t nodes_;
};

void label_run(const LayerLabels& hasher, std::uint64_t first, std::vector<Fetched>& run,
               std::span<Node> labels) noexcept {
  for (std::size_t i = 0; i < run.size(); ++i) {
    const std::uint64_t node = first + i;
    if (node == 0) {
      labels[0] = hasher.first();
      continue;
    }
    Fetched& parents = run[i];
    for (std::size_t k = 0; k < kDrgParents; ++k) parents.labels[k] = labels[parents.drg[k]];
    labels[node] = hasher.label(node, std::span(parents.labels).first(hasher.parents()));
  }
}

}  // namespace

Result<void> make_layer(const Graph& graph, const Node& replica_id, std::uint32_t layer,
                        std::span<const Node> below, std::span<Node> labels, const WorkView& work) {
  BELFRY_ASSERT(layer == 1 ? below.empty() : below.size() == labels.size(),
                "all layers but the first stand on one of equal size");
  const LayerLabels hasher(replica_id, layer);
  const ParentFetcher fetcher(graph, below, labels.size());
  std::vector<Fetched> now;
  std::vector<Fetched> next;
  fetcher.fetch(0, now, work.executor);
  for (std::uint64_t first = 0; first < labels.size(); first += kLabelRun) {
    BELFRY_CHECK(work.cancel.check("filecoin.labels"));
    work.executor.both([&] { label_run(hasher, first, now, labels); },
                       [&] { fetcher.fetch(first + kLabelRun, next, work.executor); });
    work.done(now.size());
    std::swap(now, next);
  }
  return {};
}

LeafSource column_hashes(std::span<const NodeFile> layers) {
  const auto batch = std::make_shared<const hash::PoseidonBatch>(layers.size());
  return [layers, batch](std::uint64_t first, std::span<Node> out) -> Result<void> {
    std::vector<Node> labels(layers.size() * out.size());
    std::vector<const Node*> columns;
    for (const NodeFile& layer : layers) {
      const auto row = std::span(labels).subspan(columns.size() * out.size(), out.size());
      BELFRY_CHECK(layer.read(first, row));
      columns.push_back(row.data());
    }
    batch->hash({columns, 1}, out);
    return {};
  };
}

void encode_replica(std::span<const Node> labels, std::span<const Node> data,
                    std::span<Node> replica) noexcept {
  using Limbs = Fr::Limbs;
  for (std::size_t i = 0; i < replica.size(); ++i) {
    // Sums of canonical integers, reduced once: the Montgomery form is not needed.
    const Fr sum = Fr{Limbs(labels[i].limbs())} + Fr{Limbs(data[i].limbs())};
    Bytes32 bytes{};
    for (std::size_t k = 0; k < sum.limbs.size(); ++k) {
      store_le(bytes.data() + k * sizeof(std::uint64_t), sum.limbs[k]);
    }
    replica[i] = known_node(bytes);
  }
}

}  // namespace belfry::filecoin
