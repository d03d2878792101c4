// SnarkPack: aggregating, verifying, reading the SRS and aggregates, by the padded number of
// proofs.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/base/write_file.h"
#include "belfry/curve/multiply.h"
#include "belfry/groth16/aggregate/aggregate.h"
#include "belfry/groth16/aggregate/verify_aggregate.h"

namespace belfry::groth16 {
namespace {

/// An SRS, proofs that are points without meaning, and a key like that of a 2 KiB PoRep: the work
/// is the same as with true ones.
class Setting {
 public:
  explicit Setting(std::size_t proofs) : proofs_(proofs) {
    const auto bytes = make_test_srs({Fr::from_u64(3), Fr::from_u64(5)}, 2 * proofs, executor_);
    if (!bytes || !write_file(path_, *bytes)) std::abort();
    for (std::size_t i = 0; i < proofs; ++i)
      proof_list_.push_back({g1(i + 1), g2(i + 2), g1(i + 3)});
  }
  ~Setting() { std::filesystem::remove(path_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  [[nodiscard]] AggregationSrs srs() const {
    return std::move(AggregationSrs::open(path_).value());
  }
  [[nodiscard]] AggregateProof make(const AggregationKey& key) const {
    return aggregate(key, proof_list_, SnarkPackVersion::kV2, {}, {executor_}).value();
  }
  [[nodiscard]] PreparedVerifyingKey key() const {
    constexpr std::size_t kInputs = 39;
    VerifyingKey key{g1(7), g1(8), g2(8), g2(9), g1(10), g2(10), {}};
    for (std::size_t i = 0; i <= kInputs; ++i) key.ic.push_back(g1(20 + i));
    return PreparedVerifyingKey(key);
  }
  [[nodiscard]] std::vector<std::vector<Fr>> inputs(std::size_t length) const {
    return std::vector(proofs_, std::vector(length, Fr::from_u64(12345)));
  }
  [[nodiscard]] const Executor& executor() const { return executor_; }

 private:
  static curve::G1Affine g1(std::uint64_t k) {
    return curve::multiply(curve::G1Affine::generator(), k).to_affine();
  }
  static curve::G2Affine g2(std::uint64_t k) {
    return curve::multiply(curve::G2Affine::generator(), k).to_affine();
  }

  Executor executor_;
  std::size_t proofs_;
  std::vector<Proof> proof_list_;
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("belfry-bench-" + std::to_string(::getpid()) + ".srs");
};

void read_srs(benchmark::State& state) {
  const Setting setting(static_cast<std::size_t>(state.range(0)));
  const AggregationSrs srs = setting.srs();
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        srs.proving_key(static_cast<std::size_t>(state.range(0)), setting.executor()).value());
  }
}

void make_aggregate(benchmark::State& state) {
  const auto proofs = static_cast<std::size_t>(state.range(0));
  const Setting setting(proofs);
  const AggregationKey key = setting.srs().proving_key(proofs, setting.executor()).value();
  for (auto _ : state) benchmark::DoNotOptimize(setting.make(key));
}

void read_aggregate(benchmark::State& state) {
  const auto proofs = static_cast<std::size_t>(state.range(0));
  const Setting setting(proofs);
  const auto bytes =
      encode(setting.make(setting.srs().proving_key(proofs, setting.executor()).value())).value();
  for (auto _ : state) benchmark::DoNotOptimize(parse_aggregate(bytes, "").value());
}

void verify(benchmark::State& state) {
  const auto proofs = static_cast<std::size_t>(state.range(0));
  const Setting setting(proofs);
  const AggregationSrs srs = setting.srs();
  const auto proof = setting.make(srs.proving_key(proofs, setting.executor()).value());
  const AggregationVerifyingKey srs_key = srs.verifying_key().value();
  const PreparedVerifyingKey key = setting.key();
  const auto inputs = setting.inputs(key.num_public_inputs());
  const AggregateStatementView statement{
      .version = SnarkPackVersion::kV2, .public_inputs = inputs, .bound_to = {}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        verify_aggregate(srs_key, key, proof, statement, setting.executor()).value());
  }
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(16)->Arg(128)->Arg(1024)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}
BENCHMARK(read_srs)->Apply(sizes);
BENCHMARK(make_aggregate)->Apply(sizes);
BENCHMARK(read_aggregate)->Apply(sizes);
BENCHMARK(verify)->Apply(sizes);

}  // namespace
}  // namespace belfry::groth16
