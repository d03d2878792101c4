#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace belfry::cli::bench
