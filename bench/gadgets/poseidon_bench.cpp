#include <benchmark/benchmark.h>

#include "belfry/gadgets/poseidon.h"
#include "belfry/r1cs/witness_builder.h"

namespace belfry::gadgets {
namespace {

template <class Cs>
std::vector<AllocatedNumber<Cs>> elements(Cs& cs, std::size_t count) {
  std::vector<AllocatedNumber<Cs>> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(AllocatedNumber<Cs>::alloc(cs, cs.given([i] { return Fr::from_u64(i); })));
  }
  return out;
}

/// The values of one hash, appended.
void witness(benchmark::State& state) {
  using Cs = r1cs::WitnessBuilder;
  constexpr std::size_t kMaxValues = 2048;
  const auto arity = static_cast<std::size_t>(state.range(0));
  std::vector<Fr> fields(kMaxValues);
  for (auto _ : state) {
    Cs cs(r1cs::WitnessSlice{{}, {}, 0, fields});
    benchmark::DoNotOptimize(poseidon<Cs>(cs, elements(cs, arity)));
  }
}
BENCHMARK(witness)
    ->Name("poseidon_witness")
    ->Arg(2)
    ->Arg(8)
    ->Arg(11)
    ->Unit(benchmark::kMicrosecond);

/// A sink that looks at nothing but the terms, as every real one must.
class TermCounter final : public r1cs::ConstraintSink {
 public:
  void on_constraint(const r1cs::LinearCombination& a, const r1cs::LinearCombination& b,
                     const r1cs::LinearCombination& c) override {
    terms_ += a.terms().size() + b.terms().size() + c.terms().size();
  }
  [[nodiscard]] std::uint64_t terms() const noexcept { return terms_; }

 private:
  std::uint64_t terms_ = 0;
};

/// The rows of one hash, recorded.
void shape(benchmark::State& state) {
  using Cs = r1cs::ShapeBuilder;
  const auto arity = static_cast<std::size_t>(state.range(0));
  std::uint64_t terms = 0;
  for (auto _ : state) {
    TermCounter sink;
    Cs cs(sink);
    benchmark::DoNotOptimize(poseidon<Cs>(cs, elements(cs, arity)));
    terms = sink.terms();
  }
  state.counters["terms"] = static_cast<double>(terms);
}
BENCHMARK(shape)->Name("poseidon_shape")->Arg(2)->Arg(8)->Arg(11)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace belfry::gadgets
