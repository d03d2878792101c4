#include <CLI/App.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/cli/arguments.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/update.h"
#include "belfry/cli/vanilla_files.h"
#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/sealing/sector_record.h"
#include "belfry/filecoin/sealing/vanilla_post.h"

namespace belfry::cli {
namespace {

struct VanillaPostOptions {
  std::vector<std::string> dirs;
  std::vector<std::string> sectors;
  std::string randomness;
  std::string partition = "0";
  std::string proof_type;
  std::string out;
};

/// A sealed sector of the PoSt.
struct Sector {
  filecoin::SectorPaths paths;
  std::uint64_t number;
};

Error usage(std::string message, std::string option) {
  return Error{ErrorCode::kInvalidUsage, "cli.vanilla", std::move(message)}.in_section(
      std::move(option));
}

/// Its number from the options if they are given, else from the sector's own record, which is then
/// of the PoSt's size.
Result<Sector> sector_of(const VanillaPostOptions& options, std::size_t i,
                         const filecoin::PostConfig& config) {
  filecoin::SectorPaths paths(options.dirs[i]);
  if (!options.sectors.empty()) {
    BELFRY_TRY(const auto number, parse_number("--sector", options.sectors[i]));
    return Sector{std::move(paths), number};
  }
  auto identity = filecoin::read_sector_record(paths.record());
  if (!identity && identity.error().code == ErrorCode::kNotFound) {
    return fail(std::move(identity.error())
                    .with_hint("For sectors that another program sealed, give one --sector each"));
  }
  if (!identity) return fail(std::move(identity.error()));
  if (identity->config.sector != config.sector) {
    return fail(
        invalid("cli.vanilla", "a sector of another size")
            .in_file(paths.record().string())
            .but(std::string(config.sector->name), std::string(identity->config.sector->name)));
  }
  return Sector{std::move(paths), identity->sector_number};
}

/// In ascending order, as a PoSt counts them.
Result<std::vector<Sector>> sectors_of(const VanillaPostOptions& options,
                                       const filecoin::PostConfig& config) {
  if (!options.sectors.empty() && options.sectors.size() != options.dirs.size()) {
    return fail(usage("as many sector numbers as folders are needed", "--sector"));
  }
  std::vector<Sector> sectors;
  for (std::size_t i = 0; i < options.dirs.size(); ++i) {
    BELFRY_TRY(Sector sector, sector_of(options, i, config));
    sectors.push_back(std::move(sector));
  }
  std::ranges::sort(sectors, {}, &Sector::number);
  const auto twice = std::ranges::adjacent_find(sectors, {}, &Sector::number);
  if (twice != sectors.end()) {
    return fail(usage("sector " + std::to_string(twice->number) + " is named twice", "--dir"));
  }
  return sectors;
}

Result<filecoin::PostConfig> config_of(const VanillaPostOptions& options, filecoin::PostKind kind) {
  BELFRY_TRY(const auto proof, parse_post_proof("--proof-type", options.proof_type, kind));
  if (kind == filecoin::PostKind::kWinning && options.dirs.size() != 1) {
    return fail(usage("a WinningPoSt is about one sector", "--dir"));
  }
  return proof.config();
}

Result<filecoin::Node> parse_randomness(const std::string& text) {
  BELFRY_TRY(const Bytes32 bytes, parse_bytes32("--randomness", text));
  auto node = engine::as_node(bytes, "cli.vanilla", "randomness");
  if (node) return node;
  return fail(std::move(node.error())
                  .with_hint("The chain's randomness has the two top bits of its last byte clear"));
}

Result<Outcome> make_vanilla(const VanillaPostOptions& options, filecoin::PostKind kind,
                             const SessionView& session) {
  BELFRY_TRY(const auto config, config_of(options, kind));
  BELFRY_TRY(const auto randomness, parse_randomness(options.randomness));
  BELFRY_TRY(const auto partition, parse_partition("--partition", options.partition));
  const std::uint64_t first = std::uint64_t{partition} * config.params().sectors;
  BELFRY_TRY(const auto sectors, sectors_of(options, config));
  BELFRY_TRY(VanillaFolder folder, VanillaFolder::create(options.out));
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    BELFRY_CHECK(session.cancel.check("cli.vanilla"));
    const filecoin::PostPlace place{.sector_number = sectors[i].number, .position = first + i};
    BELFRY_TRY(const auto post, filecoin::make_vanilla_post(sectors[i].paths, config, randomness,
                                                            place, session.executor));
    BELFRY_CHECK(
        folder.write(sectors[i].number, filecoin::write_vanilla_post(post, *config.sector)));
  }
  return std::move(folder).outcome();
}

Result<Outcome> vanilla_winning(const VanillaPostOptions& options, const SessionView& session) {
  return make_vanilla(options, filecoin::PostKind::kWinning, session);
}
Result<Outcome> vanilla_window(const VanillaPostOptions& options, const SessionView& session) {
  return make_vanilla(options, filecoin::PostKind::kWindow, session);
}

void add_post(CLI::App& group, Action& selected, const CommandText& text,
              Result<Outcome> (*act)(const VanillaPostOptions&, const SessionView&), bool window) {
  const auto options = std::make_shared<VanillaPostOptions>();
  CLI::App& command = add_command(group, selected, text, options, act);
  command.add_option("--dir", options->dirs, "Folder of each sector; a WinningPoSt has one")
      ->type_name("DIR")
      ->required();
  command.add_option("--sector", options->sectors, "Number of each sector without sector.json")
      ->type_name("N");
  command.add_option("--randomness", options->randomness, "The chain's randomness")
      ->type_name("HEX")
      ->required();
  command
      .add_option("--proof-type", options->proof_type, "Registered PoSt proof, as in the example")
      ->type_name("NAME")
      ->required();
  if (window) add_partition(command, options->partition);
  command.add_option("--out", options->out, "Folder for vanilla-<sector>.bin")
      ->type_name("DIR")
      ->required();
}

}  // namespace

void add_vanilla(CLI::App& app, Action& selected) {
  const std::string winning =
      "belfry vanilla winning --dir sector --randomness HEX --proof-type StackedDrgWinning2KiBV1 "
      "--out proofs";
  const std::string window =
      "belfry vanilla window --dir sector1 sector2 --randomness HEX --proof-type "
      "StackedDrgWindow2KiBV1_2 --out proofs";
  CLI::App& group = add_group(app, "vanilla", "Vanilla proofs of sealed sectors", window);
  add_post(group, selected, {"winning", "Vanilla proof for a WinningPoSt", winning},
           vanilla_winning, false);
  add_post(group, selected,
           {"window", "Vanilla proofs for a WindowPoSt, one file a sector", window}, vanilla_window,
           true);
  add_vanilla_update(group, selected);
}

}  // namespace belfry::cli
