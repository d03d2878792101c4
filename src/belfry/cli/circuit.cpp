#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/cli/commands.h"
#include "belfry/cli/result_file.h"
#include "belfry/config/size.h"
#include "belfry/engine/jobs/circuits.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {
namespace {

struct CircuitOptions {
  std::string name;
  std::string out;
};

JsonObject sizes_json(const engine::CircuitSummary& circuit) {
  return JsonObject{}
      .add("inputs", circuit.inputs)
      .add("aux", circuit.aux)
      .add("constraints", circuit.constraints);
}

Result<Outcome> list(const CircuitOptions& /*options*/, const SessionView& /*session*/) {
  Outcome outcome{.text = fmt::format("{:<14} {:>7} {:>12} {:>12} {:>7}", "circuit", "inputs",
                                      "aux", "constraints", "domain")};
  std::vector<Json> rows;
  for (const engine::CircuitSummary& circuit : engine::list_circuits()) {
    outcome.text +=
        fmt::format("\n{:<14} {:>7} {:>12} {:>12}    2^{}", circuit.name, circuit.inputs,
                    circuit.aux, circuit.constraints, circuit.domain_log2);
    rows.push_back(JsonObject{}
                       .add("name", circuit.name)
                       .merge(sizes_json(circuit))
                       .add("domain_log2", circuit.domain_log2)
                       .add("params_file", circuit.params_file)
                       .json());
  }
  outcome.result.add("circuits", rows);
  return outcome;
}

Result<Outcome> digest(const CircuitOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.name));
  BELFRY_TRY(const auto found, engine::digest_circuit(circuit, session.job_options()));
  Outcome outcome{.text = fmt::format("{}  {}\n{} inputs, {} aux, {} constraints, {} terms",
                                      to_hex(found.r1cs_digest), found.circuit.name,
                                      found.circuit.inputs, found.circuit.aux,
                                      found.circuit.constraints, found.terms)};
  outcome.result.add("name", found.circuit.name)
      .add("r1cs_digest", to_hex(found.r1cs_digest))
      .merge(sizes_json(found.circuit))
      .add("terms", found.terms);
  return outcome;
}

Result<Outcome> extract(const CircuitOptions& options, const SessionView& session) {
  BELFRY_TRY(const auto circuit, filecoin::find_circuit(options.name));
  // The job opens the file when the shape is there; whether it can is tried now.
  BELFRY_TRY(const ResultFile trial, ResultFile::open({"--out", options.out}, {session.trace}));
  BELFRY_TRY(const auto shape,
             engine::write_shape_file(circuit, options.out, session.job_options()));
  Outcome outcome{.text = fmt::format("{}: {}, sha256 {}", shape.file.string(),
                                      config::approximate_size(shape.bytes), to_hex(shape.sha256))};
  outcome.result.add("file", shape.file.string())
      .add("bytes", shape.bytes)
      .add("sha256", to_hex(shape.sha256));
  return outcome;
}

}  // namespace

void add_circuit(CLI::App& app, Action& selected) {
  CLI::App& group = add_group(app, "circuit", "Sizes, digests and shape files of circuits",
                              "belfry circuit digest porep-2KiB");
  const auto options = std::make_shared<CircuitOptions>();
  add_command(group, selected,
              {"list", "All circuits with their sizes", "belfry circuit list --json"}, options,
              list);
  CLI::App& digest_command = add_command(
      group, selected, {"digest", "R1CS digest, streamed", "belfry circuit digest porep-32GiB"},
      options, digest);
  add_word(digest_command, "NAME", options->name, "Circuit, such as porep-2KiB").required();
  CLI::App& extract_command =
      add_command(group, selected,
                  {"extract", "Write the shape file",
                   "belfry circuit extract porep-2KiB --out porep-2KiB.shape"},
                  options, extract);
  add_word(extract_command, "NAME", options->name, "Circuit, such as porep-2KiB").required();
  extract_command.add_option("--out", options->out, "Shape file; the cache's own without it")
      ->type_name("FILE");
}

}  // namespace belfry::cli
