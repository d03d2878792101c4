#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/output.h"
#include "belfry/config/size.h"
#include "belfry/engine/jobs/derive.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {
namespace {

struct ParamsOptions {
  std::string name;
  std::string file;
  std::string circuit;
  bool force = false;
};

Result<Outcome> list(const ParamsOptions& /*options*/, const SessionView& session) {
  const auto files = engine::list_parameter_files(session.job_options());
  const auto missing_files =
      std::ranges::count(files, engine::FileState::kMissing, &engine::ParameterFile::state);
  Outcome outcome{.text = fmt::format("folder {}: {} of {} files are there",
                                      session.settings.params.string(),
                                      std::ssize(files) - missing_files, files.size())};
  std::vector<Json> rows;
  for (const engine::ParameterFile& file : files) {
    const bool missing = file.state == engine::FileState::kMissing;
    const std::string circuit = file.kind == engine::FileKind::kSrs ? "SnarkPack" : file.circuit;
    outcome.text +=
        fmt::format("\n{:<14} {:<9} {:>11}  {}{}", circuit, engine::to_string(file.state),
                    missing ? "" : config::approximate_size(file.bytes), file.name,
                    file.for_tests ? "  (for tests only)" : "");
    JsonObject row;
    row.add("name", file.name)
        .add_if_set("circuit", file.circuit)
        .add("path", file.path.string())
        .add("state", engine::to_string(file.state))
        .add("bytes", file.bytes)
        .add("for_tests_only", file.for_tests);
    if (file.digest) row.add("digest", to_hex(*file.digest));
    rows.push_back(row.json());
  }
  outcome.result.add("files", rows);
  return outcome;
}

/// A file and what it is checked as.
struct Target {
  std::filesystem::path file;
  std::optional<filecoin::Circuit> circuit;
};

Result<std::vector<Target>> targets_of(const ParamsOptions& options, const SessionView& session) {
  if (options.name.empty() == options.file.empty()) {
    return fail(Error{ErrorCode::kInvalidUsage, "cli.params", "give a circuit or --file"}.with_hint(
        "See belfry params check --help"));
  }
  if (options.file.empty()) {
    BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.name));
    const engine::JobOptions job = session.job_options();
    return std::vector<Target>{{engine::params_path(circuit, job), circuit},
                               {engine::key_path(circuit, job), circuit}};
  }
  if (options.circuit.empty()) return std::vector<Target>{{options.file, std::nullopt}};
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.circuit));
  return std::vector<Target>{{options.file, circuit}};
}

/// What is known of the digest, for the line of a file.
std::string digest_words(const engine::ParameterCheck& check,
                         const std::optional<engine::PublishedDigest>& published) {
  if (published && published->digest == to_hex(check.report.digest)) {
    return "digest as published by " + engine::name_of_table(published->table);
  }
  return check.for_tests ? "digest of parameters for tests only" : "no published digest";
}

/// A file whose points are good: one line and one row, and whether its digest is good as well.
bool add_checked(const engine::ParameterCheck& check,
                 const std::optional<engine::PublishedDigest>& published, std::string& text,
                 std::vector<Json>& rows) {
  const auto digest = check.check_digest(published);
  JsonObject row;
  row.add("file", check.file.string())
      .add("kind", check.report.kind)
      .add("bytes", check.report.bytes)
      .add("digest", to_hex(check.report.digest))
      .add("from_cache", check.report.from_cache)
      .add("published", published
                            ? std::optional<bool>(published->digest == to_hex(check.report.digest))
                            : std::nullopt)
      .add_if_set("published_by", published ? engine::name_of_table(published->table) : "")
      .add("for_tests_only", check.for_tests);
  const std::vector<Json> checked(check.report.checked.begin(), check.report.checked.end());
  row.add("checked", checked);
  if (!digest) row.add("error", error_json(digest.error()));
  rows.push_back(row.json());
  const std::string verdict =
      digest ? fmt::format("{}: good ({}; {}){}", check.file.string(),
                           fmt::join(check.report.checked, ", "), digest_words(check, published),
                           check.report.from_cache ? ", verdict from the cache" : "")
             : "bad: " + digest.error().describe();
  text += (text.empty() ? "" : "\n") + verdict;
  return digest.has_value();
}

/// A file that fails its check is an answer, not a failure of the command.
Result<Outcome> check(const ParamsOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto targets, targets_of(options, session));
  Outcome outcome;
  std::vector<Json> rows;
  for (const Target& target : targets) {
    BELFRY_TRY(const auto published, engine::published_digest(target.file));
    const auto found =
        engine::check_parameter_file(target.file, target.circuit, session.job_options());
    if (found) {
      outcome.yes = add_checked(*found, published, outcome.text, rows) && outcome.yes;
      continue;
    }
    if (found.error().code != ErrorCode::kInvalidInput) return fail(found.error());
    outcome.yes = false;
    outcome.text += (outcome.text.empty() ? "" : "\n") + ("bad: " + found.error().describe());
    rows.push_back(JsonObject{}
                       .add("file", target.file.string())
                       .add("error", error_json(found.error()))
                       .json());
  }
  outcome.result.add("valid", outcome.yes).add("checked", rows);
  return outcome;
}

/// Makes derived parameters, unless a whole file is there and is not to be replaced.
Result<Outcome> derive(const ParamsOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.name));
  BELFRY_TRY(const auto report,
             engine::derive_parameters(
                 circuit, session.job_options(),
                 options.force ? engine::WholeFile::kReplace : engine::WholeFile::kKeep));
  const groth16::DeriveReport& made = report.made;
  Outcome outcome;
  outcome.text =
      report.were_there
          ? fmt::format("{} is there and whole; --force makes it anew", made.file.string())
          : fmt::format("{}: {}, made in {:.1f} s on {}", made.file.string(),
                        config::approximate_size(made.bytes), made.seconds, made.device);
  outcome.result.add("file", made.file.string())
      .add("bytes", made.bytes)
      .add("made", !report.were_there)
      .add("device", made.device)
      .add("seconds", made.seconds);
  return outcome;
}

}  // namespace

void add_params(CLI::App& app, Action& selected) {
  CLI::App& group =
      add_group(app, "params", "Parameter and key files", "belfry params check porep-2KiB");
  const auto options = std::make_shared<ParamsOptions>();
  add_command(group, selected,
              {"list", "Which parameter, key, derived and SRS files are there",
               "belfry params list --params /var/tmp/filecoin-proof-parameters"},
              options, list);
  CLI::App& command = add_command(group, selected,
                                  {"check", "Check structure, curve and subgroup of every point",
                                   "belfry params check --file my.params --circuit porep-2KiB"},
                                  options, check);
  CLI::App& making =
      add_command(group, selected,
                  {"derive", "Make what a GPU proves with faster, once for each file",
                   "belfry params derive porep-32GiB"},
                  options, derive);
  add_word(making, "NAME", options->name, "Circuit whose parameters in --params are derived from")
      .required();
  making.add_flag("--force", options->force, "Make them anew if a whole file is there");
  add_word(command, "NAME", options->name, "Circuit whose files in --params are checked");
  command.add_option("--file", options->file, "One .params, .vk or .srs file instead")
      ->type_name("FILE");
  command.add_option("--circuit", options->circuit, "Circuit that the counts of --file must fit")
      ->type_name("NAME")
      ->needs("--file");
}

}  // namespace belfry::cli
