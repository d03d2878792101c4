#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/result_file.h"
#include "belfry/cli/test_secrets.h"
#include "belfry/config/size.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {
namespace {

struct SetupOptions {
  std::string name;
  std::string trapdoor_file;
  std::string out;
};

JsonObject file_json(const groth16::FileSummary& file) {
  return JsonObject{}
      .add("file", file.file.string())
      .add("bytes", file.bytes)
      .add("sha256", to_hex(file.sha256))
      .add("blake2b_32", to_hex(file.digest));
}

std::vector<Json> sections_json(const std::vector<groth16::SectionSummary>& sections) {
  std::vector<Json> rows;
  rows.reserve(sections.size());
  for (const groth16::SectionSummary& section : sections) {
    rows.push_back(JsonObject{}
                       .add("name", section.name)
                       .add("count", section.count)
                       .add("sha256", to_hex(section.sha256))
                       .json());
  }
  return rows;
}

std::string file_line(const groth16::FileSummary& file) {
  return fmt::format("{}: {}, sha256 {}", file.file.string(), config::approximate_size(file.bytes),
                     to_hex(file.sha256));
}

Result<std::optional<groth16::TestTrapdoor>> trapdoor_of(const SetupOptions& options) {
  if (options.trapdoor_file.empty()) return std::nullopt;
  BELFRY_TRY(const auto trapdoor, read_test_trapdoor(options.trapdoor_file));
  return trapdoor;
}

Result<Outcome> set_up(const SetupOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.name));
  BELFRY_TRY(const auto trapdoor, trapdoor_of(options));
  BELFRY_CHECK(prepare_output_folder(options.out));
  BELFRY_TRY(const auto report,
             engine::set_up_for_tests(circuit, trapdoor, options.out, session.job_options()));
  Outcome outcome{.text =
                      "FOR TESTS ONLY: whoever knows the trapdoor of these parameters forges "
                      "proofs.\n" +
                      file_line(report.params) + "\n" + file_line(report.vk)};
  if (!report.device.empty()) outcome.text += "\npoints made by " + report.device;
  outcome.result
      .add("params", file_json(report.params).add("sections", sections_json(report.sections)))
      .add("vk", file_json(report.vk))
      .add("backend", report.device.empty() ? "cpu" : "cuda")
      .add_if_set("device", report.device)
      .add("for_tests_only", true);
  return outcome;
}

}  // namespace

void add_setup(CLI::App& app, Action& selected) {
  const auto options = std::make_shared<SetupOptions>();
  CLI::App& command =
      add_command(app, selected,
                  {"setup", "Make parameters FOR TESTS ONLY: their maker can forge proofs",
                   "belfry setup porep-2KiB --test-trapdoor trapdoor.json --out params"},
                  options, set_up);
  add_word(command, "NAME", options->name, "Circuit, such as porep-2KiB").required();
  command
      .add_option("--test-trapdoor", options->trapdoor_file,
                  "JSON with alpha, beta, gamma, delta, tau; random and forgotten without it")
      ->type_name("FILE");
  command.add_option("--out", options->out, "Folder for .params and .vk")
      ->type_name("DIR")
      ->required();
}

}  // namespace belfry::cli
