#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "belfry/hash/poseidon.h"
#include "belfry/hash/poseidon_batch.h"
#include "belfry/hash/poseidon_lanes.h"

namespace belfry::hash {
namespace {

void hash_elements(benchmark::State& state) {
  const auto arity = static_cast<std::size_t>(state.range(0));
  const PoseidonConstants& constants = poseidon_constants(arity);
  const Fr tag = poseidon_tree_tag(arity);
  std::vector<Fr> elements;
  for (std::size_t i = 0; i < arity; ++i) elements.push_back(Fr::from_u64(i + 1).inverse());
  for (auto _ : state) {
    elements[0] = poseidon(constants, tag, elements);
    benchmark::DoNotOptimize(elements[0]);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(hash_elements)
    ->Name("poseidon")
    ->Arg(2)
    ->Arg(4)
    ->Arg(8)
    ->Arg(11)
    ->Unit(benchmark::kMicrosecond);

/// A row of a tree: the time of one hash among many.
void hash_rows(benchmark::State& state) {
  constexpr std::size_t kHashes = 512;
  const PoseidonBatch batch(static_cast<std::size_t>(state.range(0)));
  std::vector<FrBytes> nodes(batch.arity() * kHashes);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = FrBytes(Fr::from_u64(i + 1).inverse());
  std::vector<const FrBytes*> first;
  for (std::size_t i = 0; i < batch.arity(); ++i) first.push_back(&nodes[i]);
  std::vector<FrBytes> parents(kHashes);
  for (auto _ : state) {
    batch.hash({first, batch.arity()}, parents);
    benchmark::DoNotOptimize(parents.front());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kHashes));
}
BENCHMARK(hash_rows)
    ->Name("poseidon_batch/512")
    ->Arg(2)
    ->Arg(8)
    ->Arg(11)
    ->Unit(benchmark::kMicrosecond);

/// The time of one of eight hashes of which everything is unloaded.
void trace_hashes(benchmark::State& state) {
  const auto arity = static_cast<std::size_t>(state.range(0));
  const PoseidonLanes& lanes = poseidon_lanes(arity);
  std::vector<PoseidonLaneElements> elements(arity);
  std::vector<const PoseidonLaneElements*> views;
  for (PoseidonLaneElements& element : elements) {
    element.fill(Fr::from_u64(views.size() + 1).inverse());
    views.push_back(&element);
  }
  std::vector<Fr> traces(kPoseidonLanes * lanes.traced());
  std::array<Fr*, kPoseidonLanes> to{};
  for (std::size_t k = 0; k < kPoseidonLanes; ++k) to.at(k) = &traces[k * lanes.traced()];
  PoseidonLaneElements out;
  for (auto _ : state) {
    lanes.hash(poseidon_tree_tag(arity), views, to, out);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPoseidonLanes));
}
BENCHMARK(trace_hashes)
    ->Name("poseidon_lanes/8")
    ->Arg(2)
    ->Arg(4)
    ->Arg(8)
    ->Arg(11)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace belfry::hash
