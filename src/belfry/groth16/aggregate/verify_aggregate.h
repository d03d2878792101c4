#pragma once

#include <span>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/aggregate/aggregate_proof.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::groth16 {

/// What an aggregate is said to prove. A view.
struct AggregateStatementView {
  SnarkPackVersion version = SnarkPackVersion::kV2;
  /// One list a proof, without ONE, in the order of the proofs; padding left out: it repeats the
  /// last.
  std::span<const std::vector<Fr>> public_inputs;
  ByteSpan bound_to;  ///< as in `aggregate`
};

/// Whether the aggregate proves that there are proofs for all these public inputs under `key`.
///
/// All checks of spec formats.md 9.5 but the sum of C, which is one comparison in G1, become one
/// equation with random 128-bit weights from the operating system: where one of the checks fails,
/// this says so but with probability below 2^-120.
///
/// All checks hold for false statements too under SnarkPackVersion::kV1, which anyone can forge:
/// `true` is evidence under kV2 alone.
///
/// @param srs  of the SRS that the aggregate was made with
/// @return kInvalidInput for no statement, another number of proofs than the aggregate's, and
///         another number of inputs than the key's
///
/// Cost: 10 log2(n) + 5 powers in the target group, eleven pairings and a sum over the ic points:
/// about 20 ms of a core for n = 16. Thread-safe.
[[nodiscard]] Result<bool> verify_aggregate(const AggregationVerifyingKey& srs,
                                            const PreparedVerifyingKey& key,
                                            const AggregateProof& proof,
                                            const AggregateStatementView& statement,
                                            const Executor& executor);

}  // namespace belfry::groth16
