#pragma once

#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/curve/g1.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/verify/verify.h"

/// What verifiers of one proof, of a batch and of an aggregate do with public inputs.
namespace belfry::groth16 {

/// kInvalidInput ("malformed verifying key") unless there are as many as the key has ic points
/// beside that of ONE.
[[nodiscard]] Result<void> check_inputs(const PreparedVerifyingKey& key,
                                        std::span<const Fr> public_inputs);

/// Σ_j weights_j·(1, x_j): what the ic points of a combination of proofs are multiplied with. One
/// list of inputs a weight, all of one length; at least one.
[[nodiscard]] std::vector<Fr> weigh_inputs(std::span<const Fr> weights,
                                           std::span<const std::vector<Fr>> public_inputs);

/// Σ_i scalars_i·ic_i; the first scalar belongs to ONE, there is one for each point.
[[nodiscard]] Result<curve::G1Affine> combine_inputs(const PreparedVerifyingKey& key,
                                                     std::span<const Fr> scalars,
                                                     const Executor& executor);

}  // namespace belfry::groth16
