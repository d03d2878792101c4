#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::filecoin {

/// One Groth16 proof to be made, as pure values: the circuit is Circuit{kPorep, config.sector}.
struct PorepPartition {
  std::vector<Fr>
      public_inputs;  ///< without ONE; derived from the statement, equal to the witness's
  r1cs::PackedWitness witness;
};

/// From a parsed C1 output to what the prover needs for partition k: checks the claims
/// (check_vanilla_partition), then makes the witness. kInvalidInput names partition, challenge,
/// field.
/// @param layout  of the shape of the circuit (Shape::layout)
[[nodiscard]] Result<PorepPartition> prepare_partition(const r1cs::WitnessLayout& layout,
                                                       const C1Output& c1, std::uint32_t partition,
                                                       const Executor& executor);

}  // namespace belfry::filecoin
