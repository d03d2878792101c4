#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/memory.h"
#include "belfry/cli/session.h"

namespace belfry::cli::bench {

/// One measured figure: the best of its runs.
struct Figure {
  std::string name;
  std::uint64_t items = 0;
  std::string unit;  ///< of an item: "points"
  double seconds = 0;
  double floor_seconds = 0;  ///< 0: no floor is known
};

/// A table for people and `rows: [{name, items, unit, seconds, rate, floor_seconds, share}]` for
/// machines, with the machine's kernels and threads above.
[[nodiscard]] Outcome report(const std::vector<Figure>& figures, const SessionView& session);

/// The same of work on a GPU: the card is named first, the CPU for what it does beside, and
/// `device` goes into the result.
[[nodiscard]] Outcome report_on_card(const std::vector<Figure>& figures, std::string_view device,
                                     const SessionView& session);

/// The highest memory of the process, mapped files included.
void add_peak_memory(Outcome& outcome, std::uint64_t peak_bytes);

/// What `work` needed beside what stood before it, and the highest of the process:
/// `work_memory_bytes`, missing where the kernel does not tell it, and `peak_memory_bytes`.
void add_memory_rise(Outcome& outcome, const Result<MemoryRise>& rise, std::string_view work);

}  // namespace belfry::cli::bench
