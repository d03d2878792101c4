#include "belfry/cli/proof_output.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/cli/test_secrets.h"
#include "belfry/config/size.h"

namespace belfry::cli {
namespace {

constexpr std::uint64_t kMostProofBytes = std::uint64_t{1} << 20U;

JsonObject seconds_json(const engine::StageSeconds& seconds) {
  JsonObject json;
  json.add("parse", seconds.parse)
      .add("witness", seconds.witness)
      .add("prove", seconds.prove)
      .add("verify", seconds.verify);
  if (seconds.aggregate > 0) json.add("aggregate", seconds.aggregate);
  return json.add("total", seconds.total);
}

/// A line that names the `parameters.json` which a key agrees with; none where the built-in table,
/// that of the chain, agrees too.
std::string describe_table(const engine::KeyOrigin& origin) {
  if (!origin.listed_key.value_or(false) || origin.published_key.value_or(false)) return "";
  return "\nthe key is the one that " + origin.listed_by.string() + " publishes" +
         (origin.published_key ? ", not the built-in table of mainnet" : "");
}

/// Lines about keys that are not those of the chain.
std::string describe(const engine::KeyOrigin& origin) {
  std::string text = describe_table(origin);
  if (origin.test_parameters) {
    text += "\nparameters FOR TESTS ONLY";
  } else if (!origin.published_key.value_or(true) && !origin.listed_key.value_or(false)) {
    text += "\nthis is not the published key";
  } else if (!origin.listed_key.value_or(true)) {
    text += "\nthis is not the key that " + origin.listed_by.string() + " publishes";
  }
  if (origin.test_srs) text += "\nthis is not the published SRS";
  return text;
}

std::string describe(const engine::VerifiedProof& proof) {
  const engine::StageSeconds& seconds = proof.seconds;
  return fmt::format(
      "verified: {} partition(s) on {} ({}) in {:.2f} s: parse {:.2f}, witness {:.2f}, prove "
      "{:.2f}, verify {:.2f}{}; peak memory {}{}{}",
      proof.partitions, proof.backend, proof.device, seconds.total, seconds.parse, seconds.witness,
      seconds.prove, seconds.verify,
      seconds.aggregate > 0 ? fmt::format(", aggregate {:.2f}", seconds.aggregate) : "",
      config::approximate_size(proof.peak_memory_bytes), describe(proof.origin),
      proof.test_randomness ? "\nrandomness FOR TESTS ONLY" : "");
}

Outcome tell_proof(const engine::VerifiedProof& proof, const std::string& out) {
  Outcome outcome{.text = (out.empty() ? to_hex(proof.proof) : "proof in " + out) + "\n" +
                          describe(proof)};
  outcome.result.add("proof", to_hex(proof.proof))
      .add("partitions", proof.partitions)
      .add("backend", proof.backend)
      .add("device", proof.device)
      .add("verified", true)
      .add("seconds", seconds_json(proof.seconds))
      .add("peak_memory_bytes", proof.peak_memory_bytes);
  if (proof.test_randomness) outcome.result.add("test_randomness", true);
  tell_origin(proof.origin, outcome.result);
  return outcome;
}

}  // namespace

void add_proof_output(CLI::App& command, ProofOutputOptions& options) {
  command.add_option("--out", options.out, "Proof file")->type_name("FILE");
  command
      .add_option("--test-randomness", options.test_randomness,
                  "JSON with r[k] and s[k], FOR TESTS ONLY")
      ->type_name("FILE");
}

Result<std::vector<groth16::ProofRandomness>> randomness_of(const ProofOutputOptions& options) {
  if (options.test_randomness.empty()) return std::vector<groth16::ProofRandomness>{};
  return read_test_randomness(options.test_randomness);
}

Result<ResultFile> open_proof_file(const ProofOutputOptions& options, const SessionView& session) {
  return ResultFile::open({"--out", options.out}, {session.trace});
}

Result<void> write_proof(ResultFile& file, ByteSpan proof, std::string_view what) {
  auto written = file.write(proof);
  if (written) return written;
  return fail(std::move(written.error())
                  .with_hint(std::string(what) + " was made and verified: " + to_hex(proof)));
}

Result<Outcome> deliver_proof(const engine::VerifiedProof& proof, ResultFile file,
                              const ProofOutputOptions& options) {
  if (file.wanted()) BELFRY_CHECK(write_proof(file, proof.proof, "The proof"));
  return tell_proof(proof, options.out);
}

Result<std::vector<std::uint8_t>> read_proof_file(const std::string& path) {
  return read_file(path, kMostProofBytes);
}

void tell_origin(const engine::KeyOrigin& origin, JsonObject& json) {
  if (origin.test_parameters) json.add("test_parameters", true);
  if (origin.test_srs) json.add("test_srs", true);
  json.add("published_key", origin.published_key);
  json.add("listed_key", origin.listed_key);
  json.add_if_set("listed_by", origin.listed_by.string());
}

Outcome tell_validity(bool valid, const engine::KeyOrigin& origin) {
  Outcome outcome{.yes = valid,
                  .text = (valid ? "valid" : "not valid: the proof does not prove this claim") +
                          describe_table(origin)};
  outcome.result.add("valid", valid);
  tell_origin(origin, outcome.result);
  return outcome;
}

}  // namespace belfry::cli
