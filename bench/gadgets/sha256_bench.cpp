#include <benchmark/benchmark.h>

#include <vector>

#include "belfry/gadgets/sha256.h"
#include "belfry/r1cs/shape_builder.h"
#include "belfry/r1cs/shape_recorder.h"
#include "belfry/r1cs/witness_builder.h"

namespace belfry::gadgets {
namespace {

constexpr std::size_t kBlockBits = 512;

template <class Cs>
Booleans<Cs> some_block(Cs& cs) {
  Booleans<Cs> bits;
  for (std::size_t i = 0; i < kBlockBits; ++i) {
    bits.push_back(Boolean<Cs>::alloc(cs, cs.given([i] { return i % 3 == 0; })));
  }
  return bits;
}

/// Values of one compression from an allocated chaining value: about 26,600 bits. The floor is the
/// compression itself, 50 ns, and 3.3 KB written.
void sha256_witness(benchmark::State& state) {
  using Cs = r1cs::WitnessBuilder;
  std::vector<std::uint64_t> words(1024);
  Cs first({{}, words, 0, {}});
  const auto block = some_block(first);
  Sha256Words<Cs> chaining{};
  for (auto& word : chaining) word = Uint32<Cs>::alloc(first, 0x12345678);
  for (auto _ : state) {
    Cs cs({{}, words, 0, {}});
    auto out = sha256_compress<Cs>(cs, block, chaining);
    benchmark::DoNotOptimize(out);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(sha256_witness);

/// Rows of one compression, recorded.
void sha256_shape(benchmark::State& state) {
  for (auto _ : state) {
    r1cs::ShapeRecorder recorder;
    r1cs::ShapeBuilder cs(recorder);
    auto out = sha256_block_no_padding(cs, some_block(cs));
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(sha256_shape)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace belfry::gadgets
