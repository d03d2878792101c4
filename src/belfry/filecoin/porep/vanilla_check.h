#pragma once

#include <cstdint>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// Checks all that a C1 output claims before anything is proved (formats.md 3.11, 5.6): challenges
/// and parents are those of statement and graph; every path leads from its leaf to its root at the
/// claimed index; roots are comm_d, one comm_c and one comm_r_last; comm_r = H2(comm_c,
/// comm_r_last); parent labels in the labeling proofs are those of the columns; recomputed labels
/// are the own column; label(L) + data = replica node; leaves of TreeC are the column hashes.
///
/// @return kInvalidInput; section is "vanilla_proofs[partition][challenge].field", message names
/// the
///         relation, expected and found are hex
///         kCancelled between partitions
/// Cost: about 10 ms a challenge at 32 GiB (Poseidon). Parallel over challenges. Thread-safe.
[[nodiscard]] Result<void> check_vanilla_proofs(const C1Output& c1, const Executor& executor,
                                                const CancelToken& cancel = {});

/// The same for one partition.
[[nodiscard]] Result<void> check_vanilla_partition(const C1Output& c1, std::uint32_t partition,
                                                   const Executor& executor);

}  // namespace belfry::filecoin
