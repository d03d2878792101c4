#pragma once

#include <vector>

#include "belfry/field/fr.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::filecoin {

/// One Groth16 proof to be made, as pure values: what every kind of proof ends in.
struct PreparedPartition {
  /// Without ONE; derived from the statement, equal to those in the witness.
  std::vector<Fr> public_inputs;
  r1cs::PackedWitness witness;
};

}  // namespace belfry::filecoin
