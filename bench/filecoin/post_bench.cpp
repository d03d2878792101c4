#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <string>

#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/filecoin/post/job.h"
#include "belfry/filecoin/post/synthetic_vanilla.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kSeed = 1;

PostConfig config_of(const char* proof) { return find_post_proof(proof)->config(); }

/// Checks and witness of one partition with that many sectors of its own, one core.
void prepare(benchmark::State& state, const char* proof, std::uint64_t sectors) {
  const Executor executor(1);
  const PostConfig config = config_of(proof);
  const VanillaPost post = synthetic_post(config, sectors, kSeed, executor);
  const r1cs::WitnessLayout layout = post_shape(config.kind, *config.sector)->layout();
  for (auto _ : state) {
    auto prepared = prepare_post_partition(layout, post, 0, executor);
    if (!prepared) state.SkipWithError(prepared.error().describe().c_str());
    state.counters["MB"] = static_cast<double>(prepared->witness.memory_bytes()) / 1e6;
  }
}
void prepare_winning_2kib(benchmark::State& state) { prepare(state, "StackedDrgWinning2KiBV1", 1); }
BENCHMARK(prepare_winning_2kib)->Unit(benchmark::kMillisecond);
void prepare_winning_32gib(benchmark::State& state) {
  prepare(state, "StackedDrgWinning32GiBV1", 1);
}
BENCHMARK(prepare_winning_32gib)->Unit(benchmark::kMillisecond);
/// Seconds that the process has spent so far.
struct Spent {
  double user;
  double system;

  [[nodiscard]] static Spent now() {
    rusage usage{};
    (void)::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
  }
};

/// A full partition: 4 GB of witness. Ask for two repetitions: the first one is that of a fresh
/// process, for the second one the hypervisor has the memory ready.
void prepare_window_32gib(benchmark::State& state) {
  static const Executor executor(1);
  static const PostConfig config = config_of("StackedDrgWindow32GiBV1_2");
  static const VanillaPost post = synthetic_post(config, config.params().sectors, kSeed, executor);
  const r1cs::WitnessLayout layout = post_shape(config.kind, *config.sector)->layout();
  for (auto _ : state) {
    const Spent before = Spent::now();
    auto prepared = prepare_post_partition(layout, post, 0, executor);
    if (!prepared) state.SkipWithError(prepared.error().describe().c_str());
    const Spent after = Spent::now();
    state.counters["user_s"] = after.user - before.user;
    state.counters["system_s"] = after.system - before.system;
  }
}
BENCHMARK(prepare_window_32gib)->Unit(benchmark::kMillisecond)->Iterations(1);

void shape_window_32gib(benchmark::State& state) {
  for (auto _ : state) {
    auto shape = post_shape(PostKind::kWindow, *config_of("StackedDrgWindow32GiBV1_2").sector);
    benchmark::DoNotOptimize(shape);
  }
}
BENCHMARK(shape_window_32gib)->Unit(benchmark::kMillisecond);

/// The bytes of one 32 GiB WinningPoSt.
void parse_winning_32gib(benchmark::State& state) {
  const PostConfig config = config_of("StackedDrgWinning32GiBV1");
  const VanillaPost post = synthetic_post(config, 1, kSeed, Executor(1));
  const auto bytes = write_vanilla_post(post.sectors[0], *config.sector);
  for (auto _ : state) {
    auto parsed = parse_vanilla_post(bytes, config, "bench");
    benchmark::DoNotOptimize(parsed);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
BENCHMARK(parse_winning_32gib)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace belfry::filecoin
