#include "belfry/filecoin/sealing/seal.h"

#include <CLI/App.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/output.h"
#include "belfry/cli/result_file.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "belfry/filecoin/sealing/c1.h"
#include "belfry/hash/sha256.h"

namespace belfry::cli {
namespace {

/// Whose sector it is, as options say it.
struct IdentityOptions {
  std::string proof_type;
  std::string miner;
  std::string sector;
  std::string ticket;
};

struct SealCommandOptions {
  IdentityOptions identity;
  std::string data;
  std::string out;
};

struct C1Options {
  IdentityOptions identity;
  std::string dir;
  std::string seed;
  std::string out;
};

Result<filecoin::SectorIdentity> parse_identity(const IdentityOptions& options) {
  BELFRY_TRY(const auto proof, filecoin::find_seal_proof(options.proof_type));
  BELFRY_TRY(const auto miner, parse_miner("--miner", options.miner));
  BELFRY_TRY(const auto sector, parse_number("--sector", options.sector));
  BELFRY_TRY(const Bytes32 ticket, parse_bytes32("--ticket", options.ticket));
  return filecoin::sector_identity(proof, miner, sector, ticket);
}

/// From the options if they are given, else from the sector's own record.
Result<filecoin::SectorIdentity> identity_of(const filecoin::SectorPaths& paths,
                                             const IdentityOptions& options) {
  if (!options.proof_type.empty()) return parse_identity(options);
  auto identity = filecoin::read_sector_record(paths.record());
  if (identity || identity.error().code != ErrorCode::kNotFound) return identity;
  return fail(
      std::move(identity.error())
          .with_hint("For a sector that another program sealed, give --proof-type, --miner, "
                     "--sector and --ticket"));
}

/// Sealing is for test sectors: none larger was compared with the reference.
Result<void> check_test_size(const filecoin::SectorParams& sector) {
  constexpr std::uint64_t kLargest = std::uint64_t{512} << 20U;
  if (sector.bytes <= kLargest) return {};
  return fail(invalid("cli.seal", "belfry seals test sectors alone")
                  .in_section("--proof-type")
                  .but("at most 512MiB", std::string(sector.name))
                  .with_hint("Seal it with the reference; prove, c1 and vanilla take its files"));
}

Result<Outcome> seal(const SealCommandOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto identity, parse_identity(options.identity));
  BELFRY_CHECK(check_test_size(*identity.config.sector));
  BELFRY_TRY(const MappedFile data, MappedFile::open(options.data));
  BELFRY_TRY(const auto sealed,
             filecoin::seal_sector(identity, data.bytes(), options.out,
                                   {.executor = session.executor,
                                    .tracer = &session.tracer,
                                    .cancel = session.cancel,
                                    .memory_budget_bytes = session.settings.memory_budget_bytes,
                                    .data_file = options.data}));
  Outcome outcome{.text = "sealed in " + options.out + "\ncomm_d " + hex(sealed.comm_d) +
                          "\ncomm_r " + hex(sealed.comm_r)};
  outcome.result.add("comm_d", hex(sealed.comm_d))
      .add("comm_r", hex(sealed.comm_r))
      .add("comm_c", hex(sealed.comm_c))
      .add("comm_r_last", hex(sealed.comm_r_last))
      .add("replica_id", hex(sealed.replica_id));
  return outcome;
}

Result<Outcome> make_c1_file(const C1Options& options, const SessionView& session) {
  const filecoin::SectorPaths paths(options.dir);
  BELFRY_TRY(const Bytes32 seed, parse_bytes32("--seed", options.seed));
  BELFRY_TRY(const auto identity, identity_of(paths, options.identity));
  BELFRY_TRY(ResultFile out, ResultFile::open({"--out", options.out}, {session.trace}));
  BELFRY_TRY(const auto c1,
             filecoin::make_c1(paths, identity, seed, session.executor, session.cancel));
  const std::string json = filecoin::write_c1(c1);
  BELFRY_CHECK(out.write(as_bytes(json)));
  const std::string digest = to_hex(hash::sha256(as_bytes(json)));
  Outcome outcome{.text = "C1 output in " + options.out + "\n" + std::to_string(json.size()) +
                          " bytes, SHA-256 " + digest};
  outcome.result.add("bytes", json.size()).add("sha256", digest);
  return outcome;
}

void add_identity(CLI::App& command, IdentityOptions& options, bool required) {
  CLI::Option* const given[] = {
      command
          .add_option("--proof-type", options.proof_type,
                      "Registered seal proof, such as StackedDrg2KiBV1_1")
          ->type_name("NAME"),
      command.add_option("--miner", options.miner, "Miner, a number or f0…")->type_name("N"),
      command.add_option("--sector", options.sector, "Sector number")->type_name("N"),
      command.add_option("--ticket", options.ticket, "Ticket of the seal")->type_name("HEX")};
  for (CLI::Option* const option : given) {
    if (required) {
      option->required();
      continue;
    }
    // All of them or none.
    for (CLI::Option* const other : given) {
      if (other != option) option->needs(other);
    }
  }
}

}  // namespace

void add_seal(CLI::App& app, Action& selected) {
  const auto options = std::make_shared<SealCommandOptions>();
  CLI::App& command = add_command(
      app, selected,
      {"seal", "Seal a test sector of at most 512 MiB, in the reference's layout",
       "belfry seal --proof-type StackedDrg2KiBV1_1 --data piece.bin --miner f01000 --sector 1 "
       "--ticket HEX --out sector"},
      options, seal);
  add_identity(command, options->identity, true);
  command.add_option("--data", options->data, "Unpadded data; zeros fill it up to the sector")
      ->type_name("FILE")
      ->required();
  command.add_option("--out", options->out, "Folder of the sector: none yet, or empty")
      ->type_name("DIR")
      ->required();
}

void add_c1(CLI::App& app, Action& selected) {
  const auto options = std::make_shared<C1Options>();
  CLI::App& command = add_command(app, selected,
                                  {"c1", "Vanilla PoRep proofs of a sealed sector (C1 output)",
                                   "belfry c1 --dir sector --seed HEX --out c1.json"},
                                  options, make_c1_file);
  command.add_option("--dir", options->dir, "Folder of the sector")->type_name("DIR")->required();
  command.add_option("--seed", options->seed, "Interactive seed, drawn after the sealing")
      ->type_name("HEX")
      ->required();
  command.add_option("--out", options->out, "C1 output")->type_name("FILE")->required();
  add_identity(command, options->identity, false);
}

}  // namespace belfry::cli
