#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "belfry/msm/fixed_base.h"
#include "belfry/msm/kernels.h"
#include "belfry/msm/msm.h"
#include "belfry/msm/stored_points.h"
#include "support/random_points.h"

namespace belfry::msm {
namespace {

constexpr std::uint64_t kPointsSeed = 1;

Fr random_scalar(std::mt19937_64& rng) { return Fr{{rng(), rng(), rng(), rng() >> 2}}; }

enum class Scalars { kUniform, kMostlyBits, kEqual };
std::vector<Fr> make_scalars(Scalars kind, std::size_t n) {
  std::mt19937_64 rng(2);
  const Fr equal = random_scalar(rng);
  std::vector<Fr> out(n);
  for (auto& x : out) {
    const bool bit = kind == Scalars::kMostlyBits && rng() % 100 != 0;
    x = kind == Scalars::kEqual ? equal : bit ? Fr::from_u64(rng() & 1) : random_scalar(rng);
  }
  return out;
}

Isa isa_of(const benchmark::State& state) { return static_cast<Isa>(state.range(1)); }
bool skip(benchmark::State& state) {
  if (isa_of(state) <= best_isa()) return false;
  state.SkipWithError("this CPU lacks the instructions");
  return true;
}
void report(benchmark::State& state, std::size_t n) {
  state.SetLabel(std::string(to_string(isa_of(state))));
  state.SetItemsProcessed(static_cast<std::int64_t>(n) * state.iterations());
}

template <class Curve, Scalars kKind>
void multiply_points(benchmark::State& state) {
  if (skip(state)) return;
  const std::size_t n = std::size_t{1} << state.range(0);
  const auto points = test::random_points<Curve>(n, kPointsSeed);
  const auto scalars = make_scalars(kKind, n);
  const SpanSource<Curve> source(points);
  const Executor executor;
  for (auto _ : state) {
    benchmark::DoNotOptimize(multiply<Curve>(source, scalars, executor, {isa_of(state), 0}));
  }
  report(state, n);
}

template <class Curve>
void sum_half(benchmark::State& state) {
  if (skip(state)) return;
  const std::size_t n = std::size_t{1} << state.range(0);
  const auto points = test::random_points<Curve>(n, kPointsSeed);
  std::mt19937_64 rng(3);
  std::vector<std::uint64_t> mask(n / 64);
  for (auto& word : mask) word = rng();
  const SpanSource<Curve> source(points);
  const Executor executor;
  for (auto _ : state) {
    benchmark::DoNotOptimize(sum_selected<Curve>(source, mask, executor, {isa_of(state), 0}));
  }
  report(state, n);
}

template <class Curve>
void fixed_base(benchmark::State& state) {
  if (skip(state)) return;
  const std::size_t n = std::size_t{1} << state.range(0);
  constexpr std::size_t kAsInSetup = 10'000'000;
  const auto scalars = make_scalars(Scalars::kUniform, n);
  const Executor executor;
  const FixedBase<Curve> table(Curve::generator(), kAsInSetup, executor, isa_of(state));
  std::vector<typename Curve::Affine> out(n);
  for (auto _ : state) benchmark::DoNotOptimize(table.multiply(scalars, out, executor));
  report(state, n);
}

/// Pairs of a batch that stays in the second-level cache, one thread: the floor of everything else
/// is (5M + 1S) a pair.
template <class Curve>
void add_pairs(benchmark::State& state) {
  if (skip(state)) return;
  const std::size_t n = std::size_t{1} << state.range(0);
  const auto points = test::random_points<Curve>(2 * n, kPointsSeed);
  const auto& kernels = point_kernels<Curve>(isa_of(state));
  AlignedBytes stored(2 * n * kernels.stride);
  AlignedBytes sums(n * kernels.stride);
  AlignedBytes scratch(kernels.scratch_bytes);
  kernels.store(points.data(), 2 * n, stored.data());
  std::vector<PairSum> pairs;
  for (std::size_t i = 0; i < n; ++i) {
    pairs.push_back({point_ref(stored.data() + 2 * i * kernels.stride, i % 2 == 0),
                     point_ref(stored.data() + (2 * i + 1) * kernels.stride),
                     sums.data() + i * kernels.stride});
  }
  for (auto _ : state) {
    kernels.add(pairs.data(), n, scratch.data());
    benchmark::ClobberMemory();
  }
  report(state, n);
}

void on_isas(benchmark::internal::Benchmark* benchmark, std::int64_t log_n) {
  for (const Isa isa : {Isa::kAdx, Isa::kIfma}) {
    benchmark->Args({log_n, static_cast<std::int64_t>(isa)});
  }
}
template <std::int64_t kLogN>
void whole(benchmark::internal::Benchmark* benchmark) {
  on_isas(benchmark, kLogN);
  benchmark->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(add_pairs<curve::G1>)->Apply([](auto* b) { on_isas(b, 10); });
BENCHMARK(add_pairs<curve::G2>)->Apply([](auto* b) { on_isas(b, 9); });
BENCHMARK(multiply_points<curve::G1, Scalars::kUniform>)->Apply(whole<18>);
BENCHMARK(multiply_points<curve::G1, Scalars::kMostlyBits>)->Apply(whole<18>);
BENCHMARK(multiply_points<curve::G1, Scalars::kEqual>)->Apply(whole<18>);
BENCHMARK(multiply_points<curve::G2, Scalars::kUniform>)->Apply(whole<16>);
BENCHMARK(sum_half<curve::G1>)->Apply(whole<18>);
BENCHMARK(sum_half<curve::G2>)->Apply(whole<16>);
BENCHMARK(fixed_base<curve::G1>)->Apply(whole<17>);
BENCHMARK(fixed_base<curve::G2>)->Apply(whole<15>);

}  // namespace
}  // namespace belfry::msm
