#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "belfry/base/cpu.h"
#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "lanes_kernels.h"

namespace belfry::bench {
namespace {

constexpr std::size_t kLanes = 8;

/// Any carried limbs below the modulus do.
struct alignas(64) Memory {
  std::array<std::uint64_t, kBlock * 64> words;
  Memory() {
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = ((i + 1) * 0x9e3779b97f4a7c15ULL) >> 13;
      if (i / kLanes % kLanes == kLanes - 1) words[i] &= 0xffff;
    }
  }
};

template <class Body>
void on_lanes(benchmark::State& state, const Body& body) {
  if (best_isa() < Isa::kIfma) {
    state.SkipWithError("this CPU has no AVX-512 IFMA");
    return;
  }
  static Memory memory;
  for (auto _ : state) {
    body(memory);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kBlock * kLanes) * state.iterations());
}

void lanes_multiply_fp(benchmark::State& state) {
  on_lanes(state, [](Memory& m) { multiply_fp(reinterpret_cast<std::byte*>(m.words.data())); });
}
void lanes_square_fp(benchmark::State& state) {
  on_lanes(state, [](Memory& m) { square_fp(reinterpret_cast<std::byte*>(m.words.data())); });
}
void lanes_multiply_fr(benchmark::State& state) {
  on_lanes(state, [](Memory& m) { multiply_fr(m.words.data()); });
}

template <class F>
void scalar_multiply(benchmark::State& state) {
  std::array<F, kBlock> values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = F::from_u64(i + 3).inverse();
  for (auto _ : state) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= values[(i + 1) % values.size()];
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kBlock) * state.iterations());
}

BENCHMARK(lanes_multiply_fp);
BENCHMARK(lanes_square_fp);
BENCHMARK(lanes_multiply_fr);
BENCHMARK(scalar_multiply<Fp>);
BENCHMARK(scalar_multiply<Fr>);

}  // namespace
}  // namespace belfry::bench
