#include "belfry/filecoin/formats/c1.h"

#include <cstdint>
#include <string>
#include <utility>

#include "belfry/base/file.h"
#include "belfry/base/memory.h"
#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/peak.h"
#include "belfry/cli/bench/report.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"

namespace belfry::cli::bench {
namespace {

/// A 32 GiB C1 output with so many partitions, one of them repeated: the inner structure, so that a
/// sector row of our own can say how many there are.
class LargeC1 {
 public:
  LargeC1(const filecoin::SectorParams& sector, std::uint32_t partitions, const Executor& executor)
      : sector_(sector), config_(filecoin::synthetic_config(sector)) {
    constexpr std::uint64_t kSeed = 1;
    sector_.partitions = partitions;
    config_.sector = &sector_;
    filecoin::C1Output c1 = filecoin::synthetic_partition(config_, 0, kSeed, executor);
    for (std::uint32_t k = 1; k < partitions; ++k) c1.partitions[k] = c1.partitions[0];
    text_ = filecoin::write_c1(c1);
  }
  LargeC1(const LargeC1&) = delete;
  LargeC1& operator=(const LargeC1&) = delete;
  LargeC1(LargeC1&&) = delete;
  LargeC1& operator=(LargeC1&&) = delete;
  ~LargeC1() = default;

  [[nodiscard]] ByteSpan text() const noexcept { return as_bytes(text_); }
  [[nodiscard]] Result<filecoin::C1Output> parse() const {
    return filecoin::parse_c1_inner(text(), config_, "a C1 output made up");
  }

 private:
  filecoin::SectorParams sector_;
  filecoin::PorepConfig config_;
  std::string text_;
};

template <class Parse>
Result<Outcome> measure(ByteSpan text, const Options& options, const SessionView& session,
                        Parse parse) {
  // The parser scans the text, copies what is no large array, and indexes arrays one by one.
  constexpr double kPasses = 3;
  // Before the rise begins: it has memory of its own.
  const double floor = kPasses * static_cast<double>(text.size()) / peak_read_bytes_per_second();
  const auto rise = MemoryRise::start();
  BELFRY_TRY(const double seconds, best_of(options.runs, session.cancel, [&]() -> Result<void> {
               BELFRY_TRY(const auto c1, parse());
               (void)c1;
               return {};
             }));
  Outcome outcome = report({{"C1 parse", text.size(), "bytes", seconds, floor}}, session);
  add_memory_rise(outcome, rise, "values and parser");
  return outcome;
}

}  // namespace

Result<Outcome> bench_c1(const Options& options, const SessionView& session) {
  if (options.c1.empty()) {
    constexpr std::uint32_t kPartitions = 52;
    BELFRY_TRY(const auto* sector, filecoin::find_sector("32GiB"));
    const LargeC1 large(*sector, kPartitions, session.executor);
    return measure(large.text(), options, session, [&large] { return large.parse(); });
  }
  BELFRY_TRY(const MappedFile file, MappedFile::open(options.c1));
  return measure(file.bytes(), options, session,
                 [&] { return filecoin::parse_c1(file.bytes(), options.c1); });
}

}  // namespace belfry::cli::bench
