#pragma once

#include <filesystem>
#include <optional>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/params/verdict.h"

/// Whose keys proofs are made and verified with: what a proof under them is worth.
namespace belfry::engine {

/// What proofs of a circuit were made or verified with.
struct KeyOrigin {
  bool test_parameters = false;  ///< marked as made from a known trapdoor
  bool test_srs = false;         ///< aggregated with another SRS than the published one
  /// Whether the verifying key is the one that the built-in table, that of Filecoin's mainnet,
  /// publishes; empty for a circuit that has none. Nothing in `params_dir` has a say in it.
  std::optional<bool> published_key{};
  /// Whether it is the one that `parameters.json` in `params_dir` publishes, for another network or
  /// for whoever filled the folder; empty without one that names the key of the circuit.
  std::optional<bool> listed_key{};
  std::filesystem::path listed_by{};  ///< that `parameters.json`
  /// Why the `parameters.json` in `params_dir` was left out: it is damaged or can not be read.
  std::optional<Error> table_fault{};
};

/// What stands behind proofs under the key with this digest, which is that of a `.vk` file (the
/// same bytes begin a `.params` file, spec formats.md 1.4). It is compared with built_in_digest and
/// listed_digest; the mark of test parameters is looked for in `params_dir` too. Never about an
/// SRS. It is a label, which stops no proof: of a `parameters.json` that can not be read it tells
/// the fault.
[[nodiscard]] KeyOrigin key_origin(const filecoin::Circuit& circuit, const groth16::FileDigest& key,
                                   const JobOptions& options);
/// The same for the key in `params_dir`: of the `.vk`, else of the front of the `.params`. Reads no
/// point: at most some milliseconds. Errors of opening.
[[nodiscard]] Result<KeyOrigin> key_origin(const filecoin::Circuit& circuit,
                                           const JobOptions& options);

/// Warns in the log that proofs under these keys prove nothing, or nothing to the chain, whatever a
/// table in their folder says; and of a table that was left out.
void warn_of_keys(const filecoin::Circuit& circuit, const KeyOrigin& origin,
                  const JobOptions& options);

}  // namespace belfry::engine
