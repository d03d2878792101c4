#pragma once

#include <cstdint>

#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

/// Consistent C1 outputs of sectors that never were, for benchmarks and tests: challenges and
/// parents are the real ones of the configuration, labels and data around them come from `seed`,
/// and the trees exist only around the leaves that occur (circuits.md 2.3). All claims agree with
/// each other, so check_vanilla_proofs accepts them and the circuit is satisfied.
///
/// The configuration is interactive: the other rules derive challenges from comm_r, which the trees
/// around the challenges decide. Anything else is a bug of the caller.
namespace belfry::filecoin {

/// The interactive configuration of a sector size: the newest registered one, or for sizes without
/// one that of API V1.1 with a zero PoRep id.
[[nodiscard]] PorepConfig synthetic_config(const SectorParams& sector);

/// All partitions. Cost at 32 GiB: about a second.
[[nodiscard]] C1Output synthetic_c1(const PorepConfig& config, std::uint64_t seed,
                                    const Executor& executor);

/// One partition alone: `partitions` of the result holds it at its place and nothing elsewhere. Its
/// trees are not those of another partition of the same seed.
[[nodiscard]] C1Output synthetic_partition(const PorepConfig& config, std::uint32_t partition,
                                           std::uint64_t seed, const Executor& executor);

}  // namespace belfry::filecoin
