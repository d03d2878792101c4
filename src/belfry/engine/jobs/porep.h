#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/groth16/prove/prove.h"

/// PoRep C2: the one place where its Filecoin half (statement, witness) meets Groth16.
namespace belfry::engine {

/// Whose sector it is: decides the replica id together with the ticket and comm_d.
struct SectorIdentity {
  std::uint64_t miner = 0;
  std::uint64_t sector = 0;
};

/// Proves what a C1 output claims; nothing leaves that does not verify.
///
/// Checks every claim of every vanilla proof first, makes one witness a partition, proves all
/// partitions in one batch, and verifies the result on the CPU against the key.
///
/// @param c1              parsed; its vanilla proofs are checked here
/// @param test_randomness empty: blinding from the operating system; else one entry a partition,
///                        for tests alone
/// @return kInvalidInput for claims that contradict each other, parameters that do not fit, and
///         non-interactive PoRep (its proof is an aggregate); kNotFound without parameters;
///         kResourceExhausted when the budget is too small; kCancelled; kBackendFailed
///         ("self-check failed", with the partitions) for a proof that does not verify
///
/// Waits; all threads of the executor work. Thread-safe.
[[nodiscard]] Result<VerifiedProof> prove_porep(
    const filecoin::C1Output& c1, const std::vector<groth16::ProofRandomness>& test_randomness,
    const JobOptions& options);

/// The same from the bytes of a C1 output (plain or wrapped), which must belong to this sector:
/// kInvalidInput if its replica id, or the sector number of the wrapper, is another one.
/// `file_name` stands in errors only.
[[nodiscard]] Result<VerifiedProof> prove_porep(
    ByteSpan c1_json, std::string_view file_name, const SectorIdentity& sector,
    const std::vector<groth16::ProofRandomness>& test_randomness, const JobOptions& options);

/// What a PoRep proof is checked against.
struct PorepClaim {
  filecoin::SealProof type;
  Bytes32 comm_r{};
  Bytes32 comm_d{};
  Bytes32 ticket{};
  Bytes32 seed{};
  SectorIdentity sector{};
};

/// Whether `proof` (192 bytes a partition) proves the claim under the key in `params_dir`.
/// kInvalidInput for bytes that are no proof and commitments that are no field elements; kNotFound
/// without the key. Some milliseconds.
[[nodiscard]] Result<bool> verify_porep(ByteSpan proof, const PorepClaim& claim,
                                        const JobOptions& options);

}  // namespace belfry::engine
