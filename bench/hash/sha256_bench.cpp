#include <benchmark/benchmark.h>

#include "belfry/hash/blake2.h"
#include "belfry/hash/sha256.h"
#include "belfry/hash/sha256_kernels.h"

namespace belfry::hash {
namespace {

void run_kernel(benchmark::State& state, detail::Sha256Kernel kernel) {
  constexpr std::size_t kBlocks = 20;  // a label
  std::vector<std::uint8_t> bytes(64 * kBlocks, 1);
  Sha256State words = sha256_initial_state();
  for (auto _ : state) {
    kernel(words.data(), bytes.data(), kBlocks);
    benchmark::DoNotOptimize(words);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBlocks));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
void sha256_portable(benchmark::State& state) {
  run_kernel(state, &detail::sha256_blocks_portable);
}
void sha256_sha_ni(benchmark::State& state) {
  if (!detail::has_sha_ni()) return state.SkipWithError("this CPU has no SHA extensions");
  run_kernel(state, &detail::sha256_blocks_sha_ni);
}
BENCHMARK(sha256_portable)->Name("sha256_blocks/portable");
BENCHMARK(sha256_sha_ni)->Name("sha256_blocks/sha_ni");

void node(benchmark::State& state) {
  Bytes32 left{};
  for (auto _ : state) {
    left = sha256_node(left, left);
    benchmark::DoNotOptimize(left);
  }
}
BENCHMARK(node)->Name("sha256_node");

void feistel_round(benchmark::State& state) {
  std::array<std::uint8_t, 16> input{};
  for (auto _ : state) {
    const Bytes64 out = blake2b512_block(input);
    input[0] = out[0];
    benchmark::DoNotOptimize(input);
  }
}
BENCHMARK(feistel_round)->Name("blake2b512_block/16");

}  // namespace
}  // namespace belfry::hash
