#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/ntt.h"

// Arguments: instruction set, log2 of the size, threads. Time is the wall's, CPU that of all
// threads, and rates count core time, so that other work on the machine disturbs them little.
// `floor_ms` is the core time of the butterflies' multiplications alone at the rate that this
// process measures for the same kernel's `scale` on data in the level-1 cache; `of_floor` is its
// share of the core time taken.
namespace {

using namespace belfry;       // NOLINT(google-build-using-namespace)
using namespace belfry::ntt;  // NOLINT(google-build-using-namespace)

std::vector<Fr> some_elements(std::size_t n) {
  std::vector<Fr> out(n);
  Fr x = Fr::from_u64(3);
  for (Fr& y : out) {
    y = x;
    x = x.square() + Fr::one();
  }
  return out;
}

/// Seconds of one multiplication by a constant, an element, on one thread: the best of many.
double seconds_per_product(const Kernels& kernels) {
  constexpr std::size_t kRows = 32;
  constexpr int kRounds = 2000;
  const std::vector<Fr> values = some_elements(kRows * kStrip);
  std::vector<std::uint64_t> constants(kRows * kernels.twiddle_words);
  kernels.prepare(values.data(), kRows, constants.data());
  constexpr std::size_t kAlignment = 64;
  std::vector<std::byte> storage(kRows * kernels.value_bytes + kAlignment);
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  std::byte* const scratch = storage.data() + (kAlignment - address % kAlignment) % kAlignment;
  kernels.load_columns(scratch, values.data(), kStrip, kRows);
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 8; ++i) kernels.scale(scratch, kRows, constants.data());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
  }
  return best / (8 * kRows * kStrip);
}

void report(benchmark::State& state, double butterflies, const Kernels& kernels) {
  const double floor = butterflies * seconds_per_product(kernels);
  using benchmark::Counter;
  const double runs = static_cast<double>(state.iterations());
  state.counters["butterflies"] = Counter(butterflies * runs, Counter::kIsRate);
  state.counters["floor_ms"] = floor * 1000;
  state.counters["of_floor"] = Counter(floor * runs, Counter::kIsRate);
}

double butterflies_of(unsigned log_size) {
  return static_cast<double>(log_size) * static_cast<double>(std::size_t{1} << log_size) / 2;
}

Isa isa_of(benchmark::State& state) {
  const Isa isa = static_cast<Isa>(state.range(0));
  state.SetLabel(std::string(to_string(isa)));
  return isa;
}

using Transform = Result<void> (*)(const Plan&, std::span<Fr>, const Executor&);

void run(benchmark::State& state, Transform transform) {
  const Isa isa = isa_of(state);
  if (isa > best_isa()) return state.SkipWithError("not on this CPU");
  const unsigned log_size = static_cast<unsigned>(state.range(1));
  const Executor executor(static_cast<unsigned>(state.range(2)));
  const Plan plan = Plan::create(Domain::of_log_size(log_size).value(), isa).value();
  std::vector<Fr> x = some_elements(plan.domain().size());
  for (auto unused : state) {
    if (!transform(plan, x, executor)) return state.SkipWithError("failed");
  }
  report(state, butterflies_of(log_size), kernels_for(isa));
}

void ntt_forward_to_reversed(benchmark::State& state) { run(state, forward_to_reversed); }
void ntt_forward_from_reversed(benchmark::State& state) { run(state, forward_from_reversed); }
void ntt_forward(benchmark::State& state) { run(state, forward); }
void ntt_coset_forward(benchmark::State& state) { run(state, coset_forward); }

void ntt_quotient(benchmark::State& state) {
  const Isa isa = isa_of(state);
  if (isa > best_isa()) return state.SkipWithError("not on this CPU");
  const unsigned log_size = static_cast<unsigned>(state.range(1));
  const Executor executor(static_cast<unsigned>(state.range(2)));
  const Plan plan = Plan::create(Domain::of_log_size(log_size).value(), isa).value();
  std::vector<Fr> a = some_elements(plan.domain().size());
  std::vector<Fr> b = a;
  std::vector<Fr> c = a;
  for (auto unused : state) {
    if (!quotient(plan, a, b, c, executor)) return state.SkipWithError("failed");
  }
  constexpr double kTransforms = 6;
  report(state, kTransforms * butterflies_of(log_size), kernels_for(isa));
}

void every_way(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"isa", "log", "threads"})
      ->MeasureProcessCPUTime()
      ->Unit(benchmark::kMillisecond);
  for (const Isa isa : {Isa::kPortable, Isa::kAdx, Isa::kIfma}) {
    for (const int threads : {1, 2}) {
      for (const int log_size : {16, 20, 22}) {
        bench->Args({static_cast<int>(isa), log_size, threads});
      }
    }
  }
}

}  // namespace

BENCHMARK(ntt_forward_to_reversed)->Apply(every_way);
BENCHMARK(ntt_forward_from_reversed)->Apply(every_way);
BENCHMARK(ntt_forward)->Apply(every_way);
BENCHMARK(ntt_coset_forward)->Apply(every_way);
BENCHMARK(ntt_quotient)->Apply(every_way);
