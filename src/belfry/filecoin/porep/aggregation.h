#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/porep/public_inputs.h"

/// What an aggregate of PoRep proofs states: its sectors in order, of each all partitions in order
/// (formats.md 4.3).
namespace belfry::filecoin {

/// Most sectors in one aggregate of non-interactive proofs.
inline constexpr std::size_t kMostNonInteractiveSectors = 65;

/// kInvalidInput for no sectors, more non-interactive ones than kMostNonInteractiveSectors, and
/// non-interactive ones under another aggregation than kNonInteractiveAggregation.
[[nodiscard]] Result<void> check_aggregation(const PorepConfig& config,
                                             const AggregationProof& aggregation,
                                             std::size_t sectors);

/// What the aggregate is bound to beside its proofs: SHA-256(seed_0 ‖ comm_r_0 ‖ seed_1 ‖ ...), of
/// non-interactive proofs SHA-256(comm_r_0 ‖ comm_r_1 ‖ ...).
[[nodiscard]] Bytes32 aggregation_digest(const PorepConfig& config,
                                         std::span<const PorepStatement> sectors);

/// The public inputs of every partition of every sector: one list a proof, in the order of the
/// proofs. Errors and cost of porep_public_inputs.
[[nodiscard]] Result<std::vector<std::vector<Fr>>> sector_public_inputs(
    const PorepConfig& config, std::span<const PorepStatement> sectors);

}  // namespace belfry::filecoin
