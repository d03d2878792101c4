#include "belfry/cli/post.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/proof_output.h"
#include "belfry/cli/vanilla_files.h"
#include "belfry/engine/jobs/post.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {
namespace {

/// What `prove` and `verify` ask for alike.
struct PostOptions {
  std::string proof_type;
  std::string randomness;
  std::string miner;
  std::string partition = "0";
};

struct ProvePostOptions {
  PostOptions post;
  std::vector<std::string> vanilla;
  ProofOutputOptions output;
};

struct VerifyPostOptions {
  PostOptions post;
  std::string proof;
  std::vector<std::string> sectors;
};

Result<engine::PostRequest> request_of(const PostOptions& options, filecoin::PostKind kind) {
  BELFRY_TRY(const auto type, parse_post_proof("--proof-type", options.proof_type, kind));
  engine::PostRequest request{.type = type};
  BELFRY_TRY(request.randomness, parse_bytes32("--randomness", options.randomness));
  // The miner is part of every request but enters no proof: only its form is checked.
  BELFRY_TRY(const std::uint64_t miner, parse_miner("--miner", options.miner));
  (void)miner;
  BELFRY_TRY(request.first_partition, parse_partition("--partition", options.partition));
  return request;
}

Error wrong_number(const char* option, std::size_t found) {
  return Error{ErrorCode::kInvalidUsage, "cli.arguments", "a WinningPoSt is about one sector"}
      .in_section(option)
      .but("1", std::to_string(found));
}

/// One refused sector as the JSON result lists it.
Json refused_json(const engine::RefusedSector& refused) {
  JsonObject json;
  json.add("partition", refused.partition).add("sector", refused.sector);
  return json.merge(error_json(refused.error)).json();
}

/// A line for each refused sector after the first, which the error itself is about.
std::string refused_lines(const engine::RefusedSectors& refused) {
  std::string lines;
  for (const engine::RefusedSector& sector : std::span(refused.named).subspan(1)) {
    lines += (lines.empty() ? "also refused: " : "\nalso refused: ") + sector.error.describe();
  }
  return lines;
}

/// Lets a failure tell every refused sector.
engine::RefusalSink refusals_into(FailureDetails& details) {
  return [&details](const engine::RefusedSectors& refused) {
    std::vector<Json> sectors;
    sectors.reserve(refused.named.size());
    for (const auto& sector : refused.named) sectors.push_back(refused_json(sector));
    details.result.add("refused_sectors", Json(sectors)).add("refused_count", refused.count);
    details.text = refused_lines(refused);
  };
}

Result<Outcome> prove_winning(const ProvePostOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto request, request_of(options.post, filecoin::PostKind::kWinning));
  return prove_vanilla(
      options.vanilla, options.output, session,
      [&request, &session](const auto& vanilla,
                           const auto& randomness) -> Result<engine::VerifiedProof> {
        if (vanilla.size() != 1) return fail(wrong_number("--vanilla", vanilla.size()));
        return engine::prove_winning(vanilla.front(), request, randomness, session.job_options(),
                                     refusals_into(session.details));
      });
}

Result<Outcome> prove_window(const ProvePostOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto request, request_of(options.post, filecoin::PostKind::kWindow));
  return prove_vanilla(options.vanilla, options.output, session,
                       [&request, &session](const auto& vanilla, const auto& randomness) {
                         return engine::prove_window(vanilla, request, randomness,
                                                     session.job_options(),
                                                     refusals_into(session.details));
                       });
}

Result<std::vector<engine::ClaimedSector>> sectors_of(const std::vector<std::string>& texts) {
  std::vector<engine::ClaimedSector> sectors;
  for (const std::string& text : texts) {
    BELFRY_TRY(const SectorArgument sector, parse_sector("--sector", text));
    BELFRY_TRY(const Bytes32 comm_r, parse_bytes32("--sector", sector.value));
    sectors.push_back({.number = sector.number, .comm_r = comm_r});
  }
  return sectors;
}

Result<Outcome> tell_post_validity(bool valid, const engine::PostRequest& request,
                                   const SessionView& session) {
  BELFRY_TRY(const auto origin, engine::key_origin(filecoin::circuit_of(request.type.config()),
                                                   session.job_options()));
  return tell_validity(valid, origin);
}

Result<Outcome> verify_winning(const VerifyPostOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto request, request_of(options.post, filecoin::PostKind::kWinning));
  BELFRY_TRY(const auto sectors, sectors_of(options.sectors));
  if (sectors.size() != 1) return fail(wrong_number("--sector", sectors.size()));
  BELFRY_TRY(const auto proof, read_proof_file(options.proof));
  BELFRY_TRY(const bool valid, engine::verify_winning(proof, request, sectors.front(),
                                                      session.job_options(), options.proof));
  return tell_post_validity(valid, request, session);
}

Result<Outcome> verify_window(const VerifyPostOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto request, request_of(options.post, filecoin::PostKind::kWindow));
  BELFRY_TRY(const auto sectors, sectors_of(options.sectors));
  BELFRY_TRY(const auto proof, read_proof_file(options.proof));
  BELFRY_TRY(const bool valid,
             engine::verify_window(proof, request, sectors, session.job_options(), options.proof));
  return tell_post_validity(valid, request, session);
}

void add_post_options(CLI::App& command, PostOptions& options, bool window) {
  command
      .add_option("--proof-type", options.proof_type,
                  window ? "Registered proof, such as StackedDrgWindow32GiBV1_2"
                         : "Registered proof, such as StackedDrgWinning32GiBV1")
      ->type_name("NAME")
      ->required();
  command.add_option("--randomness", options.randomness, "Randomness of the chain, below r")
      ->type_name("HEX")
      ->required();
  command
      .add_option("--miner", options.miner,
                  "Miner, a number or f0…; only its form is checked, no proof contains it")
      ->type_name("N")
      ->required();
  if (!window) return;
  add_partition(command, options.partition);
}

using ProveAction = Result<Outcome> (*)(const ProvePostOptions&, const SessionView&);
using VerifyAction = Result<Outcome> (*)(const VerifyPostOptions&, const SessionView&);

void add_prove_noun(CLI::App& group, Action& selected, const CommandText& text, bool window,
                    ProveAction act) {
  const auto options = std::make_shared<ProvePostOptions>();
  CLI::App& command = add_command(group, selected, text, options, act);
  command
      .add_option(
          "--vanilla", options->vanilla,
          window ? "Vanilla proofs, one a sector, in any order" : "Vanilla proof of the sector")
      ->type_name("FILE")
      ->required();
  add_post_options(command, options->post, window);
  add_proof_output(command, options->output);
}

void add_verify_noun(CLI::App& group, Action& selected, const CommandText& text, bool window,
                     VerifyAction act) {
  const auto options = std::make_shared<VerifyPostOptions>();
  CLI::App& command = add_command(group, selected, text, options, act);
  command.add_option("--proof", options->proof, "Proof, 192 bytes a partition")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--sector", options->sectors,
                  window ? "Sectors and their replica commitments, in any order"
                         : "Sector and its replica commitment")
      ->type_name("N=COMM_R")
      ->required();
  add_post_options(command, options->post, window);
}

}  // namespace

void add_prove_post(CLI::App& group, Action& selected) {
  add_prove_noun(group, selected,
                 {"winning", "Vanilla proof of the winning sector to WinningPoSt",
                  "belfry prove winning --vanilla vanilla-1.bin --randomness HEX --miner f01000 "
                  "--proof-type StackedDrgWinning32GiBV1 --out proof.bin"},
                 false, prove_winning);
  add_prove_noun(group, selected,
                 {"window", "Vanilla proofs of a deadline's sectors to WindowPoSt",
                  "belfry prove window --vanilla vanilla-*.bin --randomness HEX --miner f01000 "
                  "--proof-type StackedDrgWindow32GiBV1_2 --out proof.bin"},
                 true, prove_window);
}

void add_verify_post(CLI::App& group, Action& selected) {
  add_verify_noun(group, selected,
                  {"winning", "Does a WinningPoSt prove this sector?",
                   "belfry verify winning --proof proof.bin --randomness HEX --miner f01000 "
                   "--proof-type StackedDrgWinning2KiBV1 --sector 1=HEX"},
                  false, verify_winning);
  add_verify_noun(group, selected,
                  {"window", "Does a WindowPoSt prove these sectors?",
                   "belfry verify window --proof proof.bin --randomness HEX --miner f01000 "
                   "--proof-type StackedDrgWindow2KiBV1_2 --sector 1=HEX 2=HEX"},
                  true, verify_window);
}

}  // namespace belfry::cli
