#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/engine/jobs/refused_sectors.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/post/job.h"
#include "belfry/groth16/prove/prove.h"

/// WinningPoSt and WindowPoSt: where their Filecoin half meets Groth16. The miner stands in no
/// argument: prover_id decides which sectors are asked for, not what is proved about them.
namespace belfry::engine {

/// What vanilla proofs answer to.
struct PostRequest {
  filecoin::PostProof type;
  Bytes32 randomness{};
  /// The partition of the deadline that the sectors begin with: 0, unless a later one is proved
  /// alone. Matters to the challenges of a V1 WindowPoSt only.
  std::uint32_t first_partition = 0;
};

/// Proves parsed vanilla proofs, also of sizes without a registered proof. Sectors ascend.
///
/// @param sink  gets every refused sector, not only the one that the error is about
/// @return kInvalidInput naming partition, sector, challenge and field for claims that contradict
///         each other: those that need no hashing before anything else is done, the others before
///         proving; otherwise as run_proof_job
[[nodiscard]] Result<VerifiedProof> prove_post(
    const filecoin::VanillaPost& post, const std::vector<groth16::ProofRandomness>& test_randomness,
    const JobOptions& options, const RefusalSink& sink = {});

/// A WinningPoSt from the bincode vanilla proof of its one sector, with 66 paths. kInvalidInput for
/// a type that is no WinningPoSt, bytes of another size or kind, randomness of r or more; otherwise
/// as prove_post, with the name of the file.
[[nodiscard]] Result<VerifiedProof> prove_winning(
    const VanillaFileView& vanilla, const PostRequest& request,
    const std::vector<groth16::ProofRandomness>& test_randomness, const JobOptions& options,
    const RefusalSink& sink = {});

/// A WindowPoSt from one bincode vanilla proof a sector, in any order: they are sorted by sector
/// number, and a number that occurs twice is refused. One Groth16 proof a partition. Errors as
/// prove_winning. A file that can't be read hides nothing about the others, unless they are
/// challenged by their place in the list (ApiVersion 1.0 and 1.1), which its number decides.
[[nodiscard]] Result<VerifiedProof> prove_window(
    std::span<const VanillaFileView> vanilla, const PostRequest& request,
    const std::vector<groth16::ProofRandomness>& test_randomness, const JobOptions& options,
    const RefusalSink& sink = {});

/// One sector as a verifier knows it.
struct ClaimedSector {
  std::uint64_t number = 0;
  Bytes32 comm_r{};
};

/// Whether `proof` proves the sectors (in any order) under the key in `params_dir`. kInvalidInput
/// for bytes that are no proof, values that are no field elements and statements that no such PoSt
/// makes; kNotFound without the key. `proof_file` stands in errors only. Some milliseconds.
[[nodiscard]] Result<bool> verify_winning(ByteSpan proof, const PostRequest& request,
                                          const ClaimedSector& sector, const JobOptions& options,
                                          std::string_view proof_file = {});
[[nodiscard]] Result<bool> verify_window(ByteSpan proof, const PostRequest& request,
                                         std::span<const ClaimedSector> sectors,
                                         const JobOptions& options,
                                         std::string_view proof_file = {});

}  // namespace belfry::engine
