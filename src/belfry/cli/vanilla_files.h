#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/file.h"
#include "belfry/cli/json.h"
#include "belfry/cli/proof_output.h"
#include "belfry/cli/session.h"
#include "belfry/engine/jobs/proof_job.h"

namespace belfry::cli {

/// The files of --vanilla, mapped. The views point to the files and to the names, which outlive
/// them.
struct VanillaFiles {
  std::vector<MappedFile> files;
  std::vector<engine::VanillaFileView> views;
};

/// Adds --partition, which everything about a WindowPoSt takes.
void add_partition(CLI::App& command, std::string& partition);

/// Errors of MappedFile::open.
[[nodiscard]] Result<VanillaFiles> open_vanilla(const std::vector<std::string>& names);

/// The proof of vanilla proofs, and of --test-randomness where it is given.
using VanillaJob = std::function<Result<engine::VerifiedProof>(
    const std::vector<engine::VanillaFileView>&, const std::vector<groth16::ProofRandomness>&)>;

/// What every `prove` of vanilla proofs does around its job: reads --test-randomness, tries the
/// file of --out, maps those of --vanilla, and tells the proof. Errors of these and of the job.
[[nodiscard]] Result<Outcome> prove_vanilla(const std::vector<std::string>& names,
                                            const ProofOutputOptions& output,
                                            const SessionView& session, const VanillaJob& job);

/// The folder of --out while `vanilla` fills it, and the answer that lists its files.
class VanillaFolder {
 public:
  /// Before the work. Errors of prepare_output_folder.
  [[nodiscard]] static Result<VanillaFolder> create(const std::string& path);

  /// Writes vanilla-<number>.bin.
  [[nodiscard]] Result<void> write(std::uint64_t number, ByteSpan proof);
  [[nodiscard]] Outcome outcome() &&;

 private:
  explicit VanillaFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::vector<Json> files_;
  std::string text_;
};

}  // namespace belfry::cli
