#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/prove.h"

namespace belfry::engine {

/// The stage of errors about proofs that were made and do not verify.
inline constexpr std::string_view kSelfCheckStage = "engine.proof.verify";

/// A batch of partitions to be proved and verified. A view.
struct CheckedBatchView {
  const groth16::Backend& backend;
  const groth16::ProveBatchView& batch;
  std::span<const groth16::ProofRandomness> randomness;  ///< empty: drawn; else one a partition
  std::span<const std::vector<Fr>> public_inputs;        ///< one list a partition
  std::uint32_t first_partition = 0;                     ///< of the batch, for errors
  std::uint64_t budget_bytes = 0;                        ///< of the backend
};

/// Proofs that verify, and the seconds that they took.
struct CheckedProofs {
  std::vector<std::uint8_t> proofs;  ///< (partitions · 192) the bytes that were verified
  double prove_seconds = 0;
  double verify_seconds = 0;
};

/// Proves a batch and verifies every proof on the CPU, whoever computed it: the very bytes that are
/// returned, read as the chain reads them, points outside their subgroup included. If one does not
/// verify and derived parameters had part in it, their file is named in the log and counted
/// (`belfry_derived_distrusted_total`), and the batch is proved once more without them.
///
/// @return errors of groth16::start and finish; under policy `kAuto` the backend's
///         kResourceExhausted, so that the CPU can go on, where it has room with derived parameters
///         alone; kBackendFailed ("self-check failed", with the
///         partitions, and with the derived file in the hint if it could be the cause) when no
///         attempt verifies
///
/// Waits; all threads of the executor work.
[[nodiscard]] Result<CheckedProofs> make_checked_proofs(const CheckedBatchView& work,
                                                        const JobOptions& options);

}  // namespace belfry::engine
