#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/update/vanilla_check.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::filecoin {

/// One Groth16 proof to be made, as pure values: the circuit is Circuit{kUpdate, sector}.
struct UpdatePartition {
  std::vector<Fr>
      public_inputs;  ///< without ONE; derived from the statement, equal to the witness's
  r1cs::PackedWitness witness;
};

/// From vanilla proofs to what the prover needs for partition k: checks its claims
/// (check_vanilla_update), then makes the witness, header first, then the challenges in parallel.
///
/// @param layout  of the shape of the circuit (Shape::layout)
/// @return kInvalidInput names partition, challenge and field; also for a layout of another circuit
/// Cost: about 2 core-seconds and 200 MB for 32 GiB. Thread-safe.
[[nodiscard]] Result<UpdatePartition> prepare_update_partition(const r1cs::WitnessLayout& layout,
                                                               const VanillaUpdate& update,
                                                               std::uint32_t partition,
                                                               const Executor& executor);

/// The witness alone, of claims that check_vanilla_update has accepted; of other claims it makes
/// one that satisfies nothing.
[[nodiscard]] Result<r1cs::PackedWitness> update_witness(const r1cs::WitnessLayout& layout,
                                                         const VanillaUpdate& update,
                                                         std::uint32_t partition,
                                                         const Executor& executor);

}  // namespace belfry::filecoin
