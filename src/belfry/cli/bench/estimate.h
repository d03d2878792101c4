#pragma once

#include "belfry/base/error.h"
#include "belfry/cli/bench/floor.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli::bench {

/// About how long this CPU proves one partition of a circuit, from its sizes by formula, nothing
/// synthesized: seconds, parameters in the page cache. Within a third of what was measured for 2
/// KiB circuits with IFMA (docs/perf/prove_cpu.md); memory and a busy machine are not in it.
/// kNotFound for a family without a circuit.
[[nodiscard]] Result<double> estimate_partition_seconds(const filecoin::Circuit& circuit,
                                                        const FloorModel& floor);

}  // namespace belfry::cli::bench
