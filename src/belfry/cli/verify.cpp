#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "belfry/cli/aggregate.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/post.h"
#include "belfry/cli/proof_output.h"
#include "belfry/cli/update.h"
#include "belfry/engine/jobs/aggregate.h"
#include "belfry/engine/jobs/porep.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {
namespace {

struct VerifyPorepOptions {
  std::string proof;
  std::string proof_type;
  std::string comm_r;
  std::string comm_d;
  std::string miner;
  std::string sector;
  std::string ticket;
  std::string seed;
  std::string srs;
};

/// The interactive seed, zeros for proofs that have none.
Result<Bytes32> seed_of(const VerifyPorepOptions& options, const filecoin::SealProof& type) {
  if (!options.seed.empty()) return parse_bytes32("--seed", options.seed);
  if (type.feature == filecoin::PorepFeature::kNonInteractive) return Bytes32{};
  return fail(Error{ErrorCode::kInvalidUsage, "cli.arguments",
                    "--seed is required for interactive proof types"}
                  .in_section("--seed")
                  .but("32 bytes as hex", "none with " + type.name()));
}

Result<engine::PorepClaim> claim_of(const VerifyPorepOptions& options) {
  BELFRY_TRY(const auto type, filecoin::find_seal_proof(options.proof_type));
  engine::PorepClaim claim{.type = type};
  BELFRY_TRY(claim.comm_r, parse_bytes32("--comm-r", options.comm_r));
  BELFRY_TRY(claim.comm_d, parse_bytes32("--comm-d", options.comm_d));
  BELFRY_TRY(claim.ticket, parse_bytes32("--ticket", options.ticket));
  BELFRY_TRY(claim.seed, seed_of(options, type));
  BELFRY_TRY(claim.sector.miner, parse_miner("--miner", options.miner));
  BELFRY_TRY(claim.sector.sector, parse_number("--sector", options.sector));
  return claim;
}

Result<Outcome> verify_porep(const VerifyPorepOptions& options, const SessionView& session) {
  BELFRY_TRY(const engine::PorepClaim claim, claim_of(options));
  BELFRY_TRY(const auto proof, read_proof_file(options.proof));
  const engine::JobOptions job = with_srs(session, options.srs);
  BELFRY_TRY(const bool valid, engine::verify_porep(proof, claim, job, options.proof));
  const bool aggregated = claim.type.feature == filecoin::PorepFeature::kNonInteractive;
  const filecoin::Circuit circuit = filecoin::circuit_of(claim.type.config());
  BELFRY_TRY(const auto origin, aggregated ? engine::aggregate_origin(circuit, job)
                                           : engine::key_origin(circuit, job));
  return tell_validity(valid, origin);
}

void add_verify_porep(CLI::App& group, Action& selected, const std::string& example) {
  const auto options = std::make_shared<VerifyPorepOptions>();
  CLI::App& command = add_command(
      group, selected, {"porep", "Does a proof prove this claim?", example}, options, verify_porep);
  const auto add = [&command](const char* name, std::string& target, const char* type,
                              const char* help) {
    command.add_option(name, target, help)->type_name(type)->required();
  };
  add("--proof", options->proof, "FILE",
      "Proof, 192 bytes a partition; non-interactive: the aggregate");
  add("--proof-type", options->proof_type, "NAME", "Registered proof, such as StackedDrg32GiBV1_1");
  add("--comm-r", options->comm_r, "HEX", "Replica commitment");
  add("--comm-d", options->comm_d, "HEX", "Data commitment");
  add("--miner", options->miner, "N", "Miner, a number or f0…");
  add("--sector", options->sector, "N", "Sector number");
  add("--ticket", options->ticket, "HEX", "Ticket of the seal");
  command.add_option("--seed", options->seed, "Interactive seed; non-interactive proofs have none")
      ->type_name("HEX");
  add_srs(command, options->srs);
}

}  // namespace

void add_verify(CLI::App& app, Action& selected) {
  const std::string example =
      "belfry verify porep --proof proof.bin --proof-type StackedDrg2KiBV1_1 --comm-r HEX --comm-d "
      "HEX --miner f01000 --sector 1 --ticket HEX --seed HEX";
  CLI::App& group = add_group(app, "verify", "Verify proofs", example);
  add_verify_porep(group, selected, example);
  add_verify_post(group, selected);
  add_verify_update(group, selected);
  add_verify_aggregate(group, selected);
}

}  // namespace belfry::cli
