#pragma once

#include <vector>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::engine {

/// Witnesses that satisfy a circuit, of sectors that never were, and what a verifier knows of them.
struct SyntheticWitnesses {
  std::vector<r1cs::PackedWitness> values;
  std::vector<std::vector<Fr>> public_inputs;  ///< without ONE
};

/// How many proofs of a circuit belong together: the partitions of a PoRep. A PoSt has one; more of
/// a WindowPoSt are the partitions of a larger deadline.
[[nodiscard]] unsigned usual_partitions(const filecoin::Circuit& circuit);

/// The first `partitions` of a sector, or of a deadline, that follows from nothing but the circuit.
/// For measurements and tests.
///
/// @param layout  of the circuit's shape
/// @return kNotFound for a circuit that has no such sectors: SnapDeals, whose challenges depend on
///         all of the replica; kCancelled between partitions
///
/// Memory: 84 MB a partition of a 32 GiB PoRep, 4.1 GB one of a 32 GiB WindowPoSt. Parallel.
[[nodiscard]] Result<SyntheticWitnesses> make_synthetic_witnesses(const filecoin::Circuit& circuit,
                                                                  const r1cs::WitnessLayout& layout,
                                                                  unsigned partitions,
                                                                  const JobOptions& options);

}  // namespace belfry::engine
