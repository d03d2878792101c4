#include <benchmark/benchmark.h>

#include "belfry/base/executor.h"
#include "belfry/filecoin/porep/circuit.h"
#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "belfry/filecoin/porep/vanilla_check.h"
#include "belfry/filecoin/porep/witness.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kSeed = 1;

PorepConfig config_32gib() { return find_seal_proof("8")->config(); }

/// Extraction of the 32 GiB shape, one core.
void shape_32gib(benchmark::State& state) {
  for (auto _ : state) {
    auto shape = porep_shape(*config_32gib().sector);
    benchmark::DoNotOptimize(shape);
  }
}
BENCHMARK(shape_32gib)->Unit(benchmark::kMillisecond);

/// The witness of one 32 GiB partition, one core.
void witness_32gib(benchmark::State& state) {
  const Executor executor(1);
  const C1Output c1 = synthetic_partition(config_32gib(), 0, kSeed, executor);
  const r1cs::WitnessLayout layout = porep_shape(*config_32gib().sector)->layout();
  for (auto _ : state) {
    auto witness = porep_witness(layout, c1, 0, executor);
    if (!witness) state.SkipWithError(witness.error().describe().c_str());
    state.counters["MB"] = static_cast<double>(witness->memory_bytes()) / 1e6;
  }
}
BENCHMARK(witness_32gib)->Unit(benchmark::kMillisecond);

/// The checks of formats.md 5.6 on one 32 GiB partition, one core.
void check_32gib(benchmark::State& state) {
  const Executor executor(1);
  const C1Output c1 = synthetic_partition(config_32gib(), 0, kSeed, executor);
  for (auto _ : state) {
    if (auto checked = check_vanilla_partition(c1, 0, executor); !checked)
      state.SkipWithError(checked.error().describe().c_str());
  }
}
BENCHMARK(check_32gib)->Unit(benchmark::kMillisecond);

/// A synthetic partition, and public inputs, one core.
void synthetic_32gib(benchmark::State& state) {
  const Executor executor(1);
  for (auto _ : state) {
    auto c1 = synthetic_partition(config_32gib(), 0, kSeed, executor);
    benchmark::DoNotOptimize(c1);
  }
}
BENCHMARK(synthetic_32gib)->Unit(benchmark::kMillisecond);

void public_inputs_32gib(benchmark::State& state) {
  const C1Output c1 = synthetic_partition(config_32gib(), 0, kSeed, Executor(1));
  for (auto _ : state) {
    auto inputs = porep_public_inputs(c1.config, porep_statement(c1), 0);
    benchmark::DoNotOptimize(inputs);
  }
}
BENCHMARK(public_inputs_32gib)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace belfry::filecoin
