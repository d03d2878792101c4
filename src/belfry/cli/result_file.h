#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/base/file.h"
#include "belfry/cli/session.h"

/// Output files and folders are tried before the work whose result they take, so that a mistyped
/// path costs no proof.
namespace belfry::cli {

/// A file that takes a command's result: opened before the work, written after it. Left unwritten,
/// nothing appears under its name. Move-only.
class ResultFile {
 public:
  /// Opens it beside its target. Nothing is opened for an empty path, which stands for an option
  /// that was not given.
  ///
  /// @param others the command's other outputs: kInvalidUsage, naming both options, if one of them
  ///               has the same path
  /// @return kNotFound without the folder, kInvalidInput for the path of a folder and where nothing
  ///         can be written
  [[nodiscard]] static Result<ResultFile> open(OutputView output,
                                               std::initializer_list<OutputView> others = {});

  /// Whether the option was given.
  [[nodiscard]] bool wanted() const noexcept { return file_.has_value(); }
  /// Writes all of it and gives the file its name; once. kResourceExhausted when the disk is
  /// full, kInternal unless it is wanted.
  [[nodiscard]] Result<void> write(ByteSpan bytes);

 private:
  explicit ResultFile(std::optional<AtomicFile> file) : file_(std::move(file)) {}

  std::optional<AtomicFile> file_;
};

/// For jobs that open their files themselves: makes the folder where it is not there yet, and tries
/// whether files can be made in it. kInvalidInput if not.
[[nodiscard]] Result<void> prepare_output_folder(const std::filesystem::path& folder);

}  // namespace belfry::cli
