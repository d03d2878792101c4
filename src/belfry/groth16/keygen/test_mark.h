#pragma once

#include <filesystem>

#include "belfry/base/error.h"
#include "belfry/groth16/params/writer.h"

namespace belfry::groth16 {

/// The file beside `x.params` that says that these parameters were made from a known or forgotten
/// trapdoor and prove nothing: `x.test.json` (docs/formats.md). The formats of the reference have
/// no room for a mark.
[[nodiscard]] std::filesystem::path test_mark_path(const std::filesystem::path& params_path);

/// Writes the mark, atomically: the digest binds it to the bytes of the file.
[[nodiscard]] Result<void> write_test_mark(const FileSummary& params);

/// True if a mark beside the file names these very bytes (by digest).
[[nodiscard]] bool is_marked_for_tests(const std::filesystem::path& params_path,
                                       const FileDigest& digest);
/// True if there is a mark beside the file, whatever its digest.
[[nodiscard]] bool is_marked_for_tests(const std::filesystem::path& params_path);

}  // namespace belfry::groth16
