#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/layers.h"
#include "belfry/filecoin/native/tree_rows.h"
#include "belfry/filecoin/porep/sparse_tree.h"
#include "belfry/filecoin/sealing/c1.h"
#include "belfry/filecoin/sealing/seal.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kNodes = std::uint64_t{1} << 18;

/// A folder that disappears.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "belfry-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// A whole 8 MiB sector and its C1 output.
void seal_8mib(benchmark::State& state) {
  const Executor executor;
  const auto identity = sector_identity(*find_seal_proof("StackedDrg8MiBV1_1"), 1000, 1, {});
  const std::vector<std::uint8_t> data(unpadded_size(identity.config.sector->bytes), 1);
  Bytes32 seed{};
  seed[0] = 2;
  for (auto _ : state) {
    const Folder folder;
    const SectorPaths paths(folder.path() / "sector");
    const auto sealed = seal_sector(identity, data, paths.directory(), {.executor = executor});
    const auto c1 = make_c1(paths, identity, seed, executor);
    if (!sealed || !c1) return state.SkipWithError("sealing failed");
    benchmark::DoNotOptimize(write_c1(*c1));
  }
}
BENCHMARK(seal_8mib)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

/// Layer number range(0) of an 8 MiB sector.
void make_labels(benchmark::State& state) {
  const Executor executor(1);
  Graph graph(find_seal_proof("StackedDrg8MiBV1_1")->config());
  graph.tabulate();
  std::vector<Node> below(state.range(0) == 1 ? 0 : kNodes);
  std::vector<Node> labels(kNodes);
  for (auto _ : state) {
    const auto done = make_layer(graph, Node(), static_cast<std::uint32_t>(state.range(0)), below,
                                 labels, {.executor = executor});
    benchmark::DoNotOptimize(done.has_value());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kNodes));
}
BENCHMARK(make_labels)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

/// The parents of a node, tables included where range(0) says so.
void parents(benchmark::State& state) {
  Graph graph(find_seal_proof("StackedDrg8MiBV1_1")->config());
  if (state.range(0) != 0) graph.tabulate();
  std::uint64_t node = 2;
  for (auto _ : state) {
    benchmark::DoNotOptimize(graph.parents(node));
    node = node + 1 == kNodes ? 2 : node + 1;
  }
}
BENCHMARK(parents)->ArgName("tables")->Arg(0)->Arg(1);

/// A tree over 2^18 leaves that are there already.
void make_tree(benchmark::State& state, TreeHash hash, std::uint32_t arity) {
  const Executor executor(1);
  const RowHasher hasher(hash, arity);
  const auto leaves = [](std::uint64_t first, std::span<Node> out) -> Result<void> {
    out[0] = filler_node(1, 1, first);
    return {};
  };
  const auto drop = [](std::uint32_t, std::uint64_t, std::span<const Node>) {
    return Result<void>();
  };
  for (auto _ : state) {
    const auto root = build_tree(hasher, kNodes, leaves, drop, {.executor = executor});
    benchmark::DoNotOptimize(root.has_value());
  }
}
BENCHMARK_CAPTURE(make_tree, sha256, TreeHash::kSha256, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(make_tree, poseidon, TreeHash::kPoseidon, 8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace belfry::filecoin
