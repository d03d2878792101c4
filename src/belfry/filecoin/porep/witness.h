#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::filecoin {

/// The witness of partition k: header, then the challenges in parallel. Expects what
/// check_vanilla_partition has accepted; of other claims it makes a witness that satisfies nothing.
/// Public inputs stand in it as the vanilla proof claims them; after the check they are those of
/// porep_public_inputs.
///
/// @param layout  of the shape of c1's circuit (Shape::layout)
/// @return kInvalidInput if k is not a partition of `c1` or the layout is of another circuit
/// Cost: at most 2 s on one core and 200 MB for 32 GiB.
[[nodiscard]] Result<r1cs::PackedWitness> porep_witness(const r1cs::WitnessLayout& layout,
                                                        const C1Output& c1, std::uint32_t partition,
                                                        const Executor& executor);

}  // namespace belfry::filecoin
