#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// What a PoRep proof states, without its partition.
struct PorepStatement {
  Node replica_id;
  Node comm_d;
  Node comm_r;
  Bytes32 seed;  ///< not used by the non-interactive proof
};

/// The statement of a C1 output, as it claims it.
[[nodiscard]] PorepStatement porep_statement(const C1Output& c1) noexcept;

/// The public inputs of partition k, ONE left out (circuits.md 2.2):
/// replica_id, comm_d, comm_r, then per challenge c: c, its 6 DRG parents, its 8 expander parents,
/// c, c, c. So 3 + 18·challenges elements, in the order of the Input variables.
///
/// @return kInvalidInput if k is not a partition of the configuration
/// Cost: microseconds a challenge; the synthetic one makes no more of its set than it needs.
/// Thread-safe. Source: circuits.md 2.2, formats.md 4.1, 4.2.
[[nodiscard]] Result<std::vector<Fr>> porep_public_inputs(const PorepConfig& config,
                                                          const PorepStatement& statement,
                                                          std::uint32_t partition);

}  // namespace belfry::filecoin
