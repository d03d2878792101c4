#include "belfry/cli/vanilla_files.h"

#include <utility>

#include "belfry/base/write_file.h"
#include "belfry/cli/result_file.h"

namespace belfry::cli {

void add_partition(CLI::App& command, std::string& partition) {
  command
      .add_option("--partition", partition,
                  "Partition of the deadline that the sectors begin with; 0 without it")
      ->type_name("N");
}

Result<VanillaFiles> open_vanilla(const std::vector<std::string>& names) {
  VanillaFiles vanilla;
  for (const std::string& name : names) {
    BELFRY_TRY(MappedFile file, MappedFile::open(name));
    vanilla.files.push_back(std::move(file));
    vanilla.views.push_back({vanilla.files.back().bytes(), name});
  }
  return vanilla;
}

Result<Outcome> prove_vanilla(const std::vector<std::string>& names,
                              const ProofOutputOptions& output, const SessionView& session,
                              const VanillaJob& job) {
  BELFRY_TRY(const auto randomness, randomness_of(output));
  BELFRY_TRY(ResultFile out, open_proof_file(output, session));
  BELFRY_TRY(const VanillaFiles vanilla, open_vanilla(names));
  BELFRY_TRY(const auto proof, job(vanilla.views, randomness));
  return deliver_proof(proof, std::move(out), output);
}

Result<VanillaFolder> VanillaFolder::create(const std::string& path) {
  BELFRY_CHECK(prepare_output_folder(path));
  return VanillaFolder(path);
}

Result<void> VanillaFolder::write(std::uint64_t number, ByteSpan proof) {
  const auto file = path_ / ("vanilla-" + std::to_string(number) + ".bin");
  BELFRY_CHECK(write_file(file, proof));
  text_ += (files_.empty() ? "" : "\n") + file.string();
  files_.emplace_back(file.string());
  return {};
}

Outcome VanillaFolder::outcome() && {
  Outcome outcome{.text = std::move(text_)};
  outcome.result.add("files", Json(files_));
  return outcome;
}

}  // namespace belfry::cli
