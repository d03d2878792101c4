#include <benchmark/benchmark.h>

#include "belfry/hash/poseidon.h"

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

}  // namespace
}  // namespace belfry::hash
