#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/porep_claim.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/groth16/aggregate/srs.h"

/// SnarkPack: one short proof for the PoRep proofs of many partitions and sectors.
namespace belfry::engine {

/// Where the SRS is looked for: `options.srs_file`, else its usual name in `options.params_dir`.
[[nodiscard]] std::filesystem::path srs_path(const JobOptions& options);

/// The part of an SRS that aggregating needs, read and checked: what becomes of the file later does
/// not matter.
struct OpenedSrs {
  std::filesystem::path path;
  groth16::AggregationKey key;
  bool published = false;
};
/// Reads the powers for `proofs` proofs, padding included, and checks that they are powers
/// (groth16::check_powers). kNotFound with a hint; kInvalidInput, naming file, list and offset, for
/// a bad or too small file. 1 ms of a core a proof, and what is_published_srs takes.
[[nodiscard]] Result<OpenedSrs> read_srs(std::size_t proofs, const JobOptions& options);

/// Whether the SRS is the published one: whoever made another one may forge aggregates. The BLAKE2b
/// digest of the whole file decides. It is taken from the cached verdicts where they know this
/// path, size and time; else the file is read (about a second a GB), and where it is the published
/// one that is noted in the cache. Errors of opening.
[[nodiscard]] Result<bool> is_published_srs(const JobOptions& options);

/// What stands behind aggregates of a circuit: key_origin, and whether the SRS is not the published
/// one. Errors of key_origin and is_published_srs.
[[nodiscard]] Result<KeyOrigin> aggregate_origin(const filecoin::Circuit& circuit,
                                                 const JobOptions& options);

/// One sector of an aggregate.
struct ProvedSectorView {
  filecoin::PorepStatement statement;
  ByteSpan proofs;        ///< 192 bytes a partition
  std::string_view name;  ///< of the proofs, in errors
};

/// An aggregate that was verified.
struct AggregatedProof {
  std::vector<std::uint8_t> proof{};
  std::size_t proofs = 0;  ///< that were aggregated, without padding
  std::size_t padded = 0;  ///< a power of two
  KeyOrigin origin{};
  double seconds = 0;
};

/// Aggregates the proofs of all partitions of the sectors, in their order. Every proof is verified
/// before, the aggregate after: nothing leaves that does not verify.
///
/// @return kInvalidInput as filecoin::check_aggregation, for bytes that are no proofs, and for
///         proofs that do not prove their statements (sectors and partitions are named); kNotFound
///         without the key or the SRS; kCancelled; kBackendFailed ("self-check failed")
///
/// Waits; all threads of the executor work: 13 ms of a core a proof, and about 3 kB. Thread-safe.
[[nodiscard]] Result<AggregatedProof> aggregate_porep(const filecoin::PorepConfig& config,
                                                      const filecoin::AggregationProof& aggregation,
                                                      std::span<const ProvedSectorView> sectors,
                                                      const JobOptions& options);

/// The same with an SRS that was read for so many proofs; kInvalidUsage for another number.
[[nodiscard]] Result<AggregatedProof> aggregate_porep(const filecoin::PorepConfig& config,
                                                      const filecoin::AggregationProof& aggregation,
                                                      std::span<const ProvedSectorView> sectors,
                                                      const OpenedSrs& srs,
                                                      const JobOptions& options);

/// The proofs of one sector and the C1 output that says what they prove.
struct SectorFilesView {
  VanillaFileView proofs;
  VanillaFileView c1;
};
/// The same from files. The C1 outputs are parsed one after the other, of each the statement is
/// kept; all are of one registered proof (kInvalidInput). A claim of a C1 output about its miner is
/// not checked: who verifies the aggregate names the miner.
[[nodiscard]] Result<AggregatedProof> aggregate_porep(const filecoin::AggregationProof& aggregation,
                                                      std::span<const SectorFilesView> sectors,
                                                      const JobOptions& options);

/// Whether `proof` is an aggregate for all these sectors, in this order, under the key and the SRS
/// in `params_dir`. kInvalidInput for bytes that are no aggregate of so many proofs, no sectors or
/// some of different types, commitments that are no field elements; kNotFound without key or SRS.
/// `proof_file` stands in errors only. Some ten milliseconds, and what is_published_srs takes.
///
/// Under SnarkPackV1 `true` proves nothing by itself (groth16::SnarkPackVersion), nor does it under
/// keys for tests (aggregate_origin); the log warns of both.
[[nodiscard]] Result<bool> verify_aggregate(ByteSpan proof,
                                            const filecoin::AggregationProof& aggregation,
                                            std::span<const PorepClaim> sectors,
                                            const JobOptions& options,
                                            std::string_view proof_file = {});

}  // namespace belfry::engine
