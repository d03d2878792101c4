#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/prepared_partition.h"
#include "belfry/filecoin/update/vanilla_check.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::filecoin {

/// From vanilla proofs to what the prover needs for partition k of Circuit{kUpdate, sector}: checks
/// its claims (check_vanilla_update), then makes the witness, header first, then the challenges in
/// parallel.
///
/// @param layout  of the shape of the circuit (Shape::layout)
/// @return kInvalidInput names partition, challenge and field; also for a layout of another circuit
/// Cost: about 2 core-seconds and 200 MB for 32 GiB. Thread-safe.
[[nodiscard]] Result<PreparedPartition> prepare_update_partition(const r1cs::WitnessLayout& layout,
                                                                 const VanillaUpdate& update,
                                                                 std::uint32_t partition,
                                                                 const Executor& executor);

/// The same for claims that check_vanilla_update has accepted already; of other claims it makes a
/// witness that satisfies nothing.
[[nodiscard]] Result<PreparedPartition> prepare_checked_update_partition(
    const r1cs::WitnessLayout& layout, const VanillaUpdate& update, std::uint32_t partition,
    const Executor& executor);

}  // namespace belfry::filecoin
