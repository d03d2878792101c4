#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/params/verifying_key.h"

/// Parameter files by their circuit: where they lie, what state they are in, making and checking.
namespace belfry::engine {

/// `<params_dir>/v28-….params` and `.vk`.
[[nodiscard]] std::filesystem::path params_path(const filecoin::Circuit& circuit,
                                                const JobOptions& options);
[[nodiscard]] std::filesystem::path key_path(const filecoin::Circuit& circuit,
                                             const JobOptions& options);

/// Opens the parameters of a circuit; the `.vk` beside them, if there is one, must hold the same
/// key. kNotFound says where they were looked for and what to do.
[[nodiscard]] Result<groth16::Parameters> open_parameters(const filecoin::Circuit& circuit,
                                                          const JobOptions& options);

/// The key of a circuit: from its `.vk`, else from the front of its `.params`.
[[nodiscard]] Result<groth16::VerifyingKey> read_key(const filecoin::Circuit& circuit,
                                                     const JobOptions& options);

enum class FileState : std::uint8_t {
  kMissing,
  kUnchecked,
  kChecked,  ///< a full check of this very file is in the cache
};
/// "missing", "unchecked", "checked".
[[nodiscard]] std::string_view to_string(FileState state) noexcept;

enum class FileKind : std::uint8_t {
  kParameters,
  kKey,
  kDerived,  ///< checked whole whenever it is loaded: no verdict is kept
  kSrs,      ///< of SnarkPack, which belongs to no circuit
};

/// One file that this version can use.
struct ParameterFile {
  std::string circuit;  ///< empty for the SRS
  std::string name;
  FileKind kind = FileKind::kParameters;
  std::filesystem::path path{};
  FileState state = FileState::kMissing;
  std::uint64_t bytes = 0;
  std::optional<groth16::FileDigest> digest{};  ///< known once it was checked
  bool for_tests = false;                       ///< marked as made from a known trapdoor
};

/// The `.params` and `.vk` of every circuit and the SRS of SnarkPack, there or not; the `.derived`,
/// beside the parameters or in the cache, where it or its `.params` is there. Reads no file but the
/// verdicts and, of `.params` without a file beside them, key and counts.
[[nodiscard]] std::vector<ParameterFile> list_parameter_files(const JobOptions& options);

/// A digest that was published, and by whom.
struct PublishedDigest {
  std::string digest;             ///< 32 hex digits
  std::filesystem::path table{};  ///< the `parameters.json` that has it; empty: the built-in table
};

/// Such a table in words: its path, or "the built-in table".
[[nodiscard]] std::string name_of_table(const std::filesystem::path& table);

/// The digest that a file of this name should have by the built-in table, which is that of
/// Filecoin's mainnet; empty where it does not know the name.
[[nodiscard]] std::optional<PublishedDigest> built_in_digest(const std::filesystem::path& file);
/// The same by `parameters.json` beside the file, which may be that of another network, or of
/// whoever filled the folder; empty without one that knows the name. kInvalidInput if it is damaged
/// or can not be read.
[[nodiscard]] Result<std::optional<PublishedDigest>> listed_digest(
    const std::filesystem::path& file);
/// The listed digest, else that of the built-in table; empty where neither knows the name. Cheap:
/// to be asked before a check. Errors of listed_digest; kInvalidInput for what is there but no file
/// to be read.
[[nodiscard]] Result<std::optional<PublishedDigest>> published_digest(
    const std::filesystem::path& file);

/// What a check found.
struct ParameterCheck {
  std::filesystem::path file;
  groth16::CheckReport report;
  /// A mark beside the file names its digest, or, for a key, stands beside the `.params` that
  /// begins with this key (spec formats.md 5.6).
  bool for_tests = false;

  /// kInvalidInput if the digest differs from the published one and the file is not for tests.
  [[nodiscard]] Result<void> check_digest(const std::optional<PublishedDigest>& published) const;
};

/// Checks a `.params` or `.vk` fully (structure, curve, subgroup; verdict cached), and with a
/// circuit also its counts; of a `.srs` that its lists are powers too (check_srs; verdict
/// cached as well). Errors as groth16::check_file, check_counts and check_srs.
[[nodiscard]] Result<ParameterCheck> check_parameter_file(
    const std::filesystem::path& file, const std::optional<filecoin::Circuit>& circuit,
    const JobOptions& options);

/// Makes parameters of a circuit for tests, from a given or a random trapdoor, in `out_dir` (made
/// when needed), by their usual names. Says so in the log. A card makes the points if the backend
/// is not kCpu and there is one that holds them (SetupReport::device): the same files. kAuto logs
/// and counts why none does, with kCuda that is the error (kBackendFailed without a usable card).
/// Otherwise errors of make_test_parameters and make_test_parameters_on_device.
[[nodiscard]] Result<groth16::SetupReport> set_up_for_tests(
    const filecoin::Circuit& circuit, const std::optional<groth16::TestTrapdoor>& trapdoor,
    const std::filesystem::path& out_dir, const JobOptions& options);

}  // namespace belfry::engine
