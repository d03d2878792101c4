#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/engine/jobs/key_origin.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/prepared_partition.h"
#include "belfry/groth16/prove/prove.h"

/// What all kinds of proofs have in common: parameters, shape, budget, witnesses, prove,
/// self-check, report. A kind brings its circuit and a function that prepares one partition.
namespace belfry::engine {

/// The vanilla proof of one sector or partition as it came; the name stands in errors only. A view.
struct VanillaFileView {
  ByteSpan bytes;
  std::string_view name;
};

/// Seconds of the stages of a proof, as its caller waited for them.
struct StageSeconds {
  double parse = 0;
  double witness = 0;
  double prove = 0;
  double verify = 0;
  double aggregate = 0;  ///< of non-interactive PoRep
  double total = 0;
};

/// A proof that was verified, and how it came about.
struct VerifiedProof {
  /// (partitions · 192), of non-interactive PoRep an aggregate.
  std::vector<std::uint8_t> proof{};
  /// (partitions · 192) What `proof` aggregates; empty where it holds them itself.
  std::vector<std::uint8_t> partition_proofs{};
  std::uint32_t partitions = 0;
  std::string backend;  ///< "cpu", "cuda"; of the last batch, where a fallback changed it
  std::string device;
  bool test_randomness = false;  ///< blinding was injected: for tests alone
  KeyOrigin origin{};
  StageSeconds seconds{};
  std::uint64_t peak_memory_bytes = 0;  ///< of the process so far, mapped files included

  /// Adds the time that reading the request took.
  void add_parse_seconds(double seconds_of_parse) noexcept {
    seconds.parse += seconds_of_parse;
    seconds.total += seconds_of_parse;
  }
};

/// One proof of one kind.
struct ProofJob {
  filecoin::Circuit circuit;
  std::uint32_t partitions = 1;
  /// Checks all claims about a partition, unless they are checked, and makes its witness. Called in
  /// order, by one thread; may use the executor itself. Twice for each partition where memory does
  /// not hold all witnesses and claims are still to be checked.
  std::function<Result<filecoin::PreparedPartition>(const r1cs::WitnessLayout&, std::uint32_t)>
      prepare;
  /// The claims of all partitions were found true before: no witness is made to find a false one.
  bool claims_checked = false;
  /// What is left to do with the verified proofs of all partitions (`proof`) before the job counts
  /// as done; its error is the job's. Empty: nothing.
  std::function<Result<void>(VerifiedProof&)> finish{};
};

/// Prepares all partitions, proves them in one batch and verifies the result on the CPU against the
/// key. Where the memory budget does not hold all at once (prove_budget.h), it goes batch by batch;
/// where policy `kAuto` took a device that fails, the CPU goes on (partition_proofs.h).
/// Nothing is proved before the claims of every partition are checked; nothing leaves that does not
/// verify. The proof is counted and logged after the job's `finish`.
///
/// @param test_randomness empty: blinding from the operating system; else one entry a partition,
///                        for tests alone
/// @return as the job's `prepare` and `finish`; kInvalidInput for parameters that do not fit the
///         circuit and too little test randomness; kNotFound without parameters; kResourceExhausted
///         when the budget is too small; kCancelled; kBackendFailed ("self-check failed", with the
///         partitions) for a proof that does not verify, not without derived parameters either
///         (checked_proofs.h)
///
/// Waits; all threads of the executor work. Thread-safe.
[[nodiscard]] Result<VerifiedProof> run_proof_job(
    const ProofJob& job, const std::vector<groth16::ProofRandomness>& test_randomness,
    const JobOptions& options);

/// Whether `proof` (192 bytes a partition) holds for these public inputs (one list a partition)
/// under the key of the circuit in `params_dir`. kInvalidInput for bytes that are no proof;
/// kNotFound without the key. `proof_file` stands in errors only. Some milliseconds. The log warns
/// of keys under which an answer is worth nothing (key_origin tells it).
[[nodiscard]] Result<bool> verify_proof(const filecoin::Circuit& circuit, ByteSpan proof,
                                        const std::vector<std::vector<Fr>>& public_inputs,
                                        const JobOptions& options,
                                        std::string_view proof_file = {});

/// Bytes of a request as a field element; kInvalidInput names them when they are r or more.
[[nodiscard]] Result<filecoin::Node> as_node(const Bytes32& bytes, std::string_view stage,
                                             std::string_view name);

/// An error about claims (kInvalidInput of the room filecoin), with the sector that they are about
/// in front of its section, as errors of a PoSt have it ("sector 7, vanilla_proofs[0][1].…"), and
/// the name of their file if it names none yet. Other errors are left as they are.
[[nodiscard]] Error in_claims(Error error, std::string_view sector, std::string_view file_name);

}  // namespace belfry::engine
