#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <utility>

#include "belfry/base/file.h"
#include "belfry/cli/aggregate.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/post.h"
#include "belfry/cli/proof_output.h"
#include "belfry/cli/update.h"
#include "belfry/engine/jobs/porep.h"

namespace belfry::cli {
namespace {

struct ProvePorepOptions {
  std::string c1;
  std::string miner;
  std::string sector;
  ProofOutputOptions output;
  std::string partition_proofs;
  std::string srs;
};

/// Both files, whatever becomes of the other: the error about one tells what or where the other is.
Result<Outcome> deliver_both(const engine::VerifiedProof& proof, ResultFile out, Result<void> kept,
                             const ProofOutputOptions& options) {
  auto outcome = deliver_proof(proof, std::move(out), options);
  if (kept) return outcome;
  kept.error().hint += "\n" + (outcome ? outcome->text : outcome.error().describe());
  return fail(std::move(kept.error()));
}

/// A failed aggregation does not take the proofs of the partitions along: says where they are.
Error with_kept_proofs(Error error, const ResultFile& partition_file, const Result<void>& kept) {
  if (!kept) error.hint += "\n" + kept.error().describe();
  if (kept && partition_file.wanted()) {
    error.hint += "\nThe file of --partition-proofs is there if all partitions were proved";
  }
  return error;
}

Result<Outcome> prove_porep(const ProvePorepOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto miner, parse_miner("--miner", options.miner));
  BELFRY_TRY(const auto sector, parse_number("--sector", options.sector));
  BELFRY_TRY(const auto randomness, randomness_of(options.output));
  BELFRY_TRY(ResultFile out, open_proof_file(options.output, session));
  BELFRY_TRY(ResultFile partition_file,
             ResultFile::open({"--partition-proofs", options.partition_proofs},
                              {{"--out", options.output.out}, session.trace}));
  BELFRY_TRY(const MappedFile c1, MappedFile::open(options.c1));
  Result<void> kept;
  const auto keep = [&](ByteSpan proofs) -> Result<void> {
    if (!partition_file.wanted()) return {};
    kept = write_proof(partition_file, proofs, "The proof of the partitions");
    return {};
  };
  auto proof = engine::prove_porep(c1.bytes(), options.c1, {.miner = miner, .sector = sector},
                                   randomness, with_srs(session, options.srs), keep);
  if (!proof) return fail(with_kept_proofs(std::move(proof.error()), partition_file, kept));
  return deliver_both(*proof, std::move(out), std::move(kept), options.output);
}

void add_prove_porep(CLI::App& group, Action& selected, const std::string& example) {
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
  add_proof_output(command, options->output);
  command
      .add_option("--partition-proofs", options->partition_proofs,
                  "Non-interactive: also keep the proofs of the partitions, for belfry aggregate")
      ->type_name("FILE");
  add_srs(command, options->srs);
}

}  // namespace

void add_prove(CLI::App& app, Action& selected) {
  const std::string example =
      "belfry prove porep --c1 c1.json --miner f01000 --sector 1 --out proof.bin";
  CLI::App& group =
      add_group(app, "prove", "Make proofs; each is verified before it is told", example);
  add_prove_porep(group, selected, example);
  add_prove_post(group, selected);
  add_prove_update(group, selected);
}

}  // namespace belfry::cli
