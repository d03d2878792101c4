#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/test_secrets.h"
#include "belfry/config/size.h"
#include "belfry/engine/jobs/porep.h"

namespace belfry::cli {
namespace {

struct ProvePorepOptions {
  std::string c1;
  std::string miner;
  std::string sector;
  std::string out;
  std::string test_randomness;
};

Result<std::vector<groth16::ProofRandomness>> randomness_of(const std::string& file) {
  if (file.empty()) return std::vector<groth16::ProofRandomness>{};
  return read_test_randomness(file);
}

Result<void> write_proof(const std::string& path, const std::vector<std::uint8_t>& proof) {
  if (path.empty()) return {};
  BELFRY_TRY(auto file, AtomicFile::create(path));
  BELFRY_CHECK(file.write(proof));
  return file.commit();
}

JsonObject seconds_json(const engine::StageSeconds& seconds) {
  return JsonObject{}
      .add("parse", seconds.parse)
      .add("witness", seconds.witness)
      .add("prove", seconds.prove)
      .add("verify", seconds.verify)
      .add("total", seconds.total);
}

std::string describe(const engine::PorepProof& proof) {
  const engine::StageSeconds& seconds = proof.seconds;
  return fmt::format(
      "verified: {} partition(s) on {} ({}) in {:.2f} s: parse {:.2f}, witness {:.2f}, prove "
      "{:.2f}, verify {:.2f}; peak memory {}{}{}",
      proof.partitions, proof.backend, proof.device, seconds.total, seconds.parse, seconds.witness,
      seconds.prove, seconds.verify, config::approximate_size(proof.peak_memory_bytes),
      proof.test_parameters ? "\nparameters FOR TESTS ONLY" : "",
      proof.test_randomness ? "\nrandomness FOR TESTS ONLY" : "");
}

Outcome tell_proof(const engine::PorepProof& proof, const std::string& out) {
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
  if (proof.test_parameters) outcome.result.add("test_parameters", true);
  return outcome;
}

Result<Outcome> prove_porep(const ProvePorepOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto miner, parse_miner("--miner", options.miner));
  BELFRY_TRY(const auto sector, parse_number("--sector", options.sector));
  BELFRY_TRY(const auto randomness, randomness_of(options.test_randomness));
  BELFRY_TRY(const MappedFile c1, MappedFile::open(options.c1));
  BELFRY_TRY(const engine::PorepProof proof,
             engine::prove_porep(c1.bytes(), options.c1, {.miner = miner, .sector = sector},
                                 randomness, session.job_options()));
  BELFRY_CHECK(write_proof(options.out, proof.proof));
  return tell_proof(proof, options.out);
}

}  // namespace

void add_prove(CLI::App& app, Action& selected) {
  const std::string example =
      "belfry prove porep --c1 c1.json --miner f01000 --sector 1 --out proof.bin";
  CLI::App& group =
      add_group(app, "prove", "Make proofs; each is verified before it is told", example);
  const auto options = std::make_shared<ProvePorepOptions>();
  CLI::App& command = add_command(group, selected, {"porep", "C1 output to proof (C2)", example},
                                  options, prove_porep);
  command.add_option("--c1", options->c1, "C1 output, plain or in the Lotus/Curio wrapper")
      ->type_name("FILE")
      ->required();
  command.add_option("--miner", options->miner, "Miner, a number or f0…")
      ->type_name("N")
      ->required();
  command.add_option("--sector", options->sector, "Sector number")->type_name("N")->required();
  command.add_option("--out", options->out, "Proof file, 192 bytes a partition")->type_name("FILE");
  command
      .add_option("--test-randomness", options->test_randomness,
                  "JSON with r[k] and s[k], FOR TESTS ONLY")
      ->type_name("FILE");
}

}  // namespace belfry::cli
