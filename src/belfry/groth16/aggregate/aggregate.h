#pragma once

#include <span>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/groth16/aggregate/aggregate_proof.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/work.h"

namespace belfry::groth16 {

/// Aggregates proofs in their order; fewer than n = key.proofs() are padded by repeating the last.
/// Whether they hold is not asked: an aggregate of a false proof does not verify.
///
/// @param key        for padded_proofs(proofs.size()) proofs
/// @param statement  bytes that the aggregate is bound to; a verifier needs the same
/// @return kInvalidUsage for no proofs or another key; kCancelled. The same input gives the same
///         aggregate: nothing is drawn.
///
/// Cost: 14 pairs of a Miller loop a proof, and 7 in the commitments before: about 9 ms of a core a
/// proof; all threads work. Memory: about 2 kB a proof. Source: spec formats.md 9.4.
[[nodiscard]] Result<AggregateProof> aggregate(const AggregationKey& key,
                                               std::span<const Proof> proofs,
                                               SnarkPackVersion version, ByteSpan statement,
                                               const WorkView& work);

}  // namespace belfry::groth16
