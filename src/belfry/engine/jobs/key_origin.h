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
  /// Whether the verifying key is the published one; empty for a circuit that has none.
  std::optional<bool> published_key{};
  /// The `parameters.json` that says which one is published; empty: the built-in table.
  std::filesystem::path published_by{};
  /// Why the `parameters.json` in `params_dir` was left out: it is damaged or can not be read.
  std::optional<Error> table_fault{};
};

/// What stands behind proofs under the key with this digest, which is that of a `.vk` file (the
/// same bytes begin a `.params` file, spec formats.md 1.4). It is compared with published_digest:
/// by `parameters.json` in `params_dir`, else by the built-in table. The mark of test parameters is
/// looked for there too. Never about an SRS. It is a label, which stops no proof: of a
/// `parameters.json` that can not be read it tells the fault.
[[nodiscard]] KeyOrigin key_origin(const filecoin::Circuit& circuit, const groth16::FileDigest& key,
                                   const JobOptions& options);
/// The same for the key in `params_dir`: of the `.vk`, else of the front of the `.params`. Reads no
/// point: at most some milliseconds. Errors of opening.
[[nodiscard]] Result<KeyOrigin> key_origin(const filecoin::Circuit& circuit,
                                           const JobOptions& options);

/// Warns in the log that proofs under these keys prove nothing, or nothing to the chain, and of a
/// table that was left out.
void warn_of_keys(const filecoin::Circuit& circuit, const KeyOrigin& origin,
                  const JobOptions& options);

}  // namespace belfry::engine
