#include <benchmark/benchmark.h>

#include <string>

#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"

namespace belfry::filecoin {
namespace {

/// The JSON of a 32 GiB C1 output with so many partitions, one partition repeated; the inner
/// structure, so that a sector row of our own can say how many there are.
class LargeC1 {
 public:
  explicit LargeC1(std::uint32_t partitions) : sector_(**find_sector("32GiB")) {
    sector_.partitions = partitions;
    config_ = find_seal_proof("8")->config();
    config_.sector = &sector_;
    C1Output c1 = synthetic_partition(config_, 0, 1, Executor());
    for (std::uint32_t k = 1; k < partitions; ++k) c1.partitions[k] = c1.partitions[0];
    text_ = write_c1(c1);
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const PorepConfig& config() const noexcept { return config_; }

 private:
  SectorParams sector_;
  PorepConfig config_{};
  std::string text_;
};

/// Megabytes of C1 output a second, on one core.
void parse_large_c1(benchmark::State& state) {
  const LargeC1 large(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    const auto c1 = parse_c1_inner(as_bytes(large.text()), large.config(), "c1.json");
    if (!c1) state.SkipWithError(c1.error().describe().c_str());
    benchmark::DoNotOptimize(c1);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(large.text().size()));
  state.counters["MB"] = static_cast<double>(large.text().size()) / 1e6;
}
BENCHMARK(parse_large_c1)->Arg(10)->Arg(52)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace belfry::filecoin
