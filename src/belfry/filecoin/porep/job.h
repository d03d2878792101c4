#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/prepared_partition.h"

namespace belfry::filecoin {

/// From a parsed C1 output to what the prover needs for partition k: checks the claims
/// (check_vanilla_partition), then makes the witness. kInvalidInput names partition, challenge,
/// field.
/// @param layout  of the shape of the circuit (Shape::layout)
[[nodiscard]] Result<PreparedPartition> prepare_partition(const r1cs::WitnessLayout& layout,
                                                          const C1Output& c1,
                                                          std::uint32_t partition,
                                                          const Executor& executor);

/// The same for claims that check_vanilla_partition has accepted already; of other claims it makes
/// a witness that satisfies nothing.
[[nodiscard]] Result<PreparedPartition> prepare_checked_partition(const r1cs::WitnessLayout& layout,
                                                                  const C1Output& c1,
                                                                  std::uint32_t partition,
                                                                  const Executor& executor);

}  // namespace belfry::filecoin
