#include "belfry/cli/aggregate.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/proof_output.h"
#include "belfry/cli/vanilla_files.h"
#include "belfry/engine/jobs/aggregate.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {
namespace {

struct AggregateOptions {
  std::vector<std::string> proofs;
  std::vector<std::string> c1;
  std::string aggregation;
  std::string srs;
  std::string out;
};

struct VerifyAggregateOptions {
  std::string proof;
  std::string proof_type;
  std::string aggregation;
  std::string miner;
  std::vector<std::string> sectors;
  std::string srs;
};

Result<Outcome> aggregate(const AggregateOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto aggregation, filecoin::find_aggregation_proof(options.aggregation));
  if (options.proofs.size() != options.c1.size()) {
    return fail(Error{ErrorCode::kInvalidUsage, "cli.arguments",
                      "every proof needs the C1 output of its sector, in the same order"}
                    .in_section("--c1")
                    .but(std::to_string(options.proofs.size()), std::to_string(options.c1.size())));
  }
  BELFRY_TRY(ResultFile out, ResultFile::open({"--out", options.out}, {session.trace}));
  BELFRY_TRY(const VanillaFiles proofs, open_vanilla(options.proofs));
  BELFRY_TRY(const VanillaFiles c1, open_vanilla(options.c1));
  std::vector<engine::SectorFilesView> sectors;
  sectors.reserve(proofs.views.size());
  for (std::size_t i = 0; i < proofs.views.size(); ++i) {
    sectors.push_back({proofs.views[i], c1.views[i]});
  }
  BELFRY_TRY(const auto made,
             engine::aggregate_porep(aggregation, sectors, with_srs(session, options.srs)));
  BELFRY_CHECK(write_proof(out, made.proof, "The aggregate"));
  Outcome outcome{.text = fmt::format("{}: {} proofs of {} sectors, {} bytes, verified, {:.2f} s",
                                      options.out, made.proofs, sectors.size(), made.proof.size(),
                                      made.seconds)};
  outcome.result.add("bytes", made.proof.size())
      .add("proofs", made.proofs)
      .add("verified", true)
      .add("seconds", made.seconds);
  tell_origin(made.origin, outcome.result);
  return outcome;
}

Error bad_sector(const std::string& text) {
  return Error{ErrorCode::kInvalidUsage, "cli.arguments", "a bad value"}
      .in_section("--sector")
      .but("N=COMM_R,COMM_D,TICKET,SEED", text);
}

/// N=COMM_R,COMM_D,TICKET,SEED; the seed may be missing where the proof does not use it.
Result<engine::PorepClaim> sector_of(const std::string& text, const filecoin::SealProof& type,
                                     std::uint64_t miner) {
  BELFRY_TRY(const SectorArgument argument, parse_sector("--sector", text));
  engine::PorepClaim claim{.type = type};
  claim.sector = {.miner = miner, .sector = argument.number};
  std::vector<Bytes32*> fields{&claim.comm_r, &claim.comm_d, &claim.ticket, &claim.seed};
  std::string_view rest = argument.value;
  std::size_t read = 0;
  for (bool more = true; more; ++read) {
    if (read == fields.size()) return fail(bad_sector(text));
    const std::size_t comma = rest.find(',');
    BELFRY_TRY(*fields[read], parse_bytes32("--sector", rest.substr(0, comma)));
    more = comma != std::string_view::npos;
    rest.remove_prefix(more ? comma + 1 : rest.size());
  }
  const bool seedless = type.feature == filecoin::PorepFeature::kNonInteractive;
  if (read < fields.size() - (seedless ? 1 : 0)) return fail(bad_sector(text));
  return claim;
}

Result<Outcome> verify_aggregate(const VerifyAggregateOptions& options,
                                 const SessionView& session) {
  BELFRY_TRY(const auto type, filecoin::find_seal_proof(options.proof_type));
  BELFRY_TRY(const auto aggregation, filecoin::find_aggregation_proof(options.aggregation));
  BELFRY_TRY(const std::uint64_t miner, parse_miner("--miner", options.miner));
  std::vector<engine::PorepClaim> sectors;
  for (const std::string& text : options.sectors) {
    BELFRY_TRY(const engine::PorepClaim claim, sector_of(text, type, miner));
    sectors.push_back(claim);
  }
  BELFRY_TRY(const auto proof, read_proof_file(options.proof));
  const engine::JobOptions job = with_srs(session, options.srs);
  BELFRY_TRY(const bool valid,
             engine::verify_aggregate(proof, aggregation, sectors, job, options.proof));
  BELFRY_TRY(const auto origin, engine::aggregate_origin(filecoin::circuit_of(type.config()), job));
  return tell_validity(valid, origin);
}

void add_aggregation(CLI::App& command, std::string& aggregation) {
  command
      .add_option("--aggregation", aggregation,
                  "SnarkPackV2, or SnarkPackV1, whose aggregates anyone can forge; non-interactive "
                  "proofs take the first")
      ->type_name("NAME")
      ->required();
}

}  // namespace

void add_srs(CLI::App& command, std::string& srs) {
  command
      .add_option("--srs", srs,
                  "SRS of SnarkPack; without it " + std::string(filecoin::kAggregationSrsFile) +
                      " in --params")
      ->type_name("FILE");
}

engine::JobOptions with_srs(const SessionView& session, const std::string& srs) {
  engine::JobOptions options = session.job_options();
  options.srs_file = srs;
  return options;
}

void add_aggregate(CLI::App& app, Action& selected) {
  const auto options = std::make_shared<AggregateOptions>();
  CLI::App& command = add_command(
      app, selected,
      {"aggregate", "One short proof for the proofs of many sectors (SnarkPack)",
       "belfry aggregate --proof 1.bin 2.bin --c1 c1-1.json c1-2.json --aggregation SnarkPackV2 "
       "--out aggregate.bin"},
      options, aggregate);
  command
      .add_option("--proof", options->proofs,
                  "Proofs of the sectors, one file each, 192 bytes a partition")
      ->type_name("FILE")
      ->required();
  command.add_option("--c1", options->c1, "C1 outputs of the sectors, in the same order")
      ->type_name("FILE")
      ->required();
  add_aggregation(command, options->aggregation);
  add_srs(command, options->srs);
  command.add_option("--out", options->out, "File of the aggregate")->type_name("FILE")->required();
}

void add_verify_aggregate(CLI::App& group, Action& selected) {
  const auto options = std::make_shared<VerifyAggregateOptions>();
  CLI::App& command =
      add_command(group, selected,
                  {"aggregate", "Does an aggregate prove all these sectors?",
                   "belfry verify aggregate --proof aggregate.bin --proof-type StackedDrg2KiBV1_1 "
                   "--aggregation SnarkPackV2 --miner f01000 --sector 1=COMM_R,COMM_D,TICKET,SEED "
                   "2=COMM_R,COMM_D,TICKET,SEED"},
                  options, verify_aggregate);
  command.add_option("--proof", options->proof, "Aggregate")->type_name("FILE")->required();
  command
      .add_option("--proof-type", options->proof_type,
                  "Registered proof of the sectors, such as StackedDrg32GiBV1_1")
      ->type_name("NAME")
      ->required();
  add_aggregation(command, options->aggregation);
  command.add_option("--miner", options->miner, "Miner, a number or f0…")
      ->type_name("N")
      ->required();
  command
      .add_option("--sector", options->sectors,
                  "Sectors in the order of the aggregate; non-interactive ones need no seed")
      ->type_name("N=COMM_R,COMM_D,TICKET,SEED")
      ->required();
  add_srs(command, options->srs);
}

}  // namespace belfry::cli
