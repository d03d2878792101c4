#pragma once

#include <cstdint>

#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// Makes a consistent C1 output of one partition of a sector that never was: the challenges and
/// parents are the real ones of the configuration, labels and data around them come from `seed`,
/// and the trees exist only around the challenged leaves (circuits.md 2.3; benchmarks and tests).
///
/// All claims agree with each other, so check_vanilla_partition accepts partition k and the circuit
/// is satisfied; `partitions` of the result holds the given partition at its place and nothing
/// elsewhere. Interactive challenges only. Cost: seconds at 32 GiB.
[[nodiscard]] C1Output synthetic_partition(const PorepConfig& config, std::uint32_t partition,
                                           std::uint64_t seed, const Executor& executor);

}  // namespace belfry::filecoin
