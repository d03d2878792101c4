#include "belfry/cli/result_file.h"

#include <string>
#include <system_error>

namespace belfry::cli {
namespace {

/// The name that a rename to `path` would replace: links count in its folder alone.
std::filesystem::path place_of(std::string_view path) {
  std::error_code ignored;
  const auto absolute = std::filesystem::absolute(path, ignored);
  return std::filesystem::weakly_canonical(absolute.parent_path(), ignored) / absolute.filename();
}

Result<void> check_distinct(OutputView output, OutputView other) {
  if (other.path.empty() || place_of(output.path) != place_of(other.path)) return {};
  return fail(Error{ErrorCode::kInvalidUsage, "cli.arguments",
                    std::string(other.option) + " names the same file"}
                  .in_file(std::string(output.path))
                  .in_section(std::string(output.option)));
}

}  // namespace

Result<ResultFile> ResultFile::open(OutputView output, std::initializer_list<OutputView> others) {
  if (output.path.empty()) return ResultFile(std::nullopt);
  for (const OutputView& other : others) BELFRY_CHECK(check_distinct(output, other));
  // A rename would find this out, but only after the work.
  std::error_code ignored;
  if (std::filesystem::is_directory(output.path, ignored)) {
    return fail(invalid("cli.output", "a folder, not a file")
                    .in_file(std::string(output.path))
                    .in_section(std::string(output.option)));
  }
  auto file = AtomicFile::create(output.path);
  if (file) return ResultFile(std::move(*file));
  return fail(std::move(file.error()).in_section(std::string(output.option)));
}

Result<void> ResultFile::write(ByteSpan bytes) {
  if (!file_) return fail(ErrorCode::kInternal, "cli.output", "a file that was not asked for");
  BELFRY_CHECK(file_->write(bytes));
  return file_->commit();
}

Result<void> prepare_output_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) {
    return fail(
        invalid("cli.output", "can not create: " + code.message()).in_file(folder.string()));
  }
  BELFRY_TRY(const AtomicFile trial, AtomicFile::create(folder / "trial"));
  return {};
}

}  // namespace belfry::cli
