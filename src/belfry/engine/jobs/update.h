#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/update/vanilla_check.h"
#include "belfry/groth16/prove/prove.h"

/// SnapDeals: the one place where its Filecoin half (statement, witness) meets Groth16.
namespace belfry::engine {

/// What an update is proved for and verified against: commitments as they travel.
struct UpdateClaim {
  filecoin::UpdateProof type;
  Bytes32 comm_r_old{};
  Bytes32 comm_r_new{};
  Bytes32 comm_d_new{};
};

/// Proves an update; nothing leaves that does not verify. All claims of all partitions are checked
/// before the first witness is made, partitions are proved in one batch.
///
/// @return kInvalidInput for claims that contradict each other or the commitments (the sector, by
///         its comm_r_old, partition, challenge and field are named) and a wrong number of
///         partitions; otherwise as run_proof_job
/// Waits; all threads of the executor work. Thread-safe.
[[nodiscard]] Result<VerifiedProof> prove_update(
    const filecoin::VanillaUpdate& update,
    const std::vector<groth16::ProofRandomness>& test_randomness, const JobOptions& options);

/// The same from bytes, one string a partition in their order; errors name the file too. Also
/// kInvalidInput for commitments that are no field elements and proofs of another sector size.
[[nodiscard]] Result<VerifiedProof> prove_update(
    std::span<const VanillaFileView> vanilla, const UpdateClaim& claim,
    const std::vector<groth16::ProofRandomness>& test_randomness, const JobOptions& options);

/// Whether `proof` (192 bytes a partition) proves the claim under the key in `params_dir`.
/// kInvalidInput for bytes that are no proof and commitments that are no field elements; kNotFound
/// without the key. `proof_file` stands in errors only. Some milliseconds.
[[nodiscard]] Result<bool> verify_update(ByteSpan proof, const UpdateClaim& claim,
                                         const JobOptions& options,
                                         std::string_view proof_file = {});

}  // namespace belfry::engine
