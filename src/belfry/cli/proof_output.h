#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/cli/output.h"
#include "belfry/cli/result_file.h"
#include "belfry/engine/jobs/key_origin.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/groth16/prove/prove.h"

/// What all nouns of `prove` and `verify` have in common.
namespace belfry::cli {

/// Options that every `prove` has.
struct ProofOutputOptions {
  std::string out;
  std::string test_randomness;
};
/// Adds --out and --test-randomness.
void add_proof_output(CLI::App& command, ProofOutputOptions& options);

/// The entries of --test-randomness; none without it. Errors of read_test_randomness.
[[nodiscard]] Result<std::vector<groth16::ProofRandomness>> randomness_of(
    const ProofOutputOptions& options);

/// Opens the file of --out, before the work. Errors of ResultFile::open.
[[nodiscard]] Result<ResultFile> open_proof_file(const ProofOutputOptions& options,
                                                 const SessionView& session);

/// Writes a proof, and on failure tells its hex digits in the error's hint: it may be the result of
/// hours. `what` begins that hint: "the proof".
[[nodiscard]] Result<void> write_proof(ResultFile& file, ByteSpan proof, std::string_view what);

/// Writes the proof into the file of --out, if there is one, and tells how it came about. Errors of
/// write_proof.
[[nodiscard]] Result<Outcome> deliver_proof(const engine::VerifiedProof& proof, ResultFile file,
                                            const ProofOutputOptions& options);

/// Reads a proof file; one of more than 1 MiB is refused.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_proof_file(const std::string& path);

/// Adds `test_parameters` and `test_srs` where they are true, and, where the circuit has one,
/// `published_key` and by whom it is (`published_by`).
void tell_origin(const engine::KeyOrigin& origin, JsonObject& json);

/// The answer of `verify`: exit code 0 or 1, and what key it rests on.
[[nodiscard]] Outcome tell_validity(bool valid, const engine::KeyOrigin& origin);

}  // namespace belfry::cli
