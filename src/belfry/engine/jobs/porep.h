#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/porep_claim.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/groth16/prove/prove.h"

/// PoRep C2: the one place where its Filecoin half (statement, witness) meets Groth16.
namespace belfry::engine {

/// Takes the verified proofs of all partitions (192 bytes each), once, as soon as they are there:
/// of a non-interactive PoRep before they are aggregated, so that they outlive a failure of that.
/// An error ends the job with it.
using PartitionProofSink = std::function<Result<void>(ByteSpan)>;

/// Proves what a C1 output claims; nothing leaves that does not verify.
///
/// Checks every claim of every vanilla proof before anything is opened, makes one witness a
/// partition, proves all partitions, and verifies the result on the CPU against the key. The proof
/// of a non-interactive PoRep is the aggregate of its partitions (aggregate.h); the part of the SRS
/// that it needs is read and checked before anything is proved.
///
/// @param c1              parsed; its vanilla proofs are checked here
/// @param test_randomness empty: blinding from the operating system; else one entry a partition,
///                        for tests alone
/// @param keep            gets the proofs of the partitions
/// @return kInvalidInput for claims that contradict each other, and parameters or an SRS that do
///         not fit; kNotFound without them;
///         kResourceExhausted when the budget is too small; kCancelled; kBackendFailed
///         ("self-check failed", with the partitions) for a proof that does not verify
///
/// Waits; all threads of the executor work. Thread-safe.
[[nodiscard]] Result<VerifiedProof> prove_porep(
    const filecoin::C1Output& c1, const std::vector<groth16::ProofRandomness>& test_randomness,
    const JobOptions& options, const PartitionProofSink& keep = {});

/// The same from the bytes of a C1 output (plain or wrapped), which must belong to this sector:
/// kInvalidInput if its replica id, or the sector number of the wrapper, is another one. Every
/// refusal of the output names the file and, in front of the field, the sector. `file_name` stands
/// in errors only.
[[nodiscard]] Result<VerifiedProof> prove_porep(
    ByteSpan c1_json, std::string_view file_name, const SectorIdentity& sector,
    const std::vector<groth16::ProofRandomness>& test_randomness, const JobOptions& options,
    const PartitionProofSink& keep = {});

/// Whether `proof` (192 bytes a partition; of a non-interactive PoRep an aggregate) proves the
/// claim under the key, and the SRS, in `params_dir`. kInvalidInput for bytes that are no proof and
/// commitments that are no field elements or zero; kNotFound without key or SRS. `proof_file`
/// stands in errors only. Some milliseconds.
[[nodiscard]] Result<bool> verify_porep(ByteSpan proof, const PorepClaim& claim,
                                        const JobOptions& options,
                                        std::string_view proof_file = {});

}  // namespace belfry::engine
