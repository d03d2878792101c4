#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "belfry/base/bytes.h"
#include "belfry/base/cancel.h"
#include "belfry/base/error.h"

namespace belfry::groth16 {

/// First 16 bytes of BLAKE2b-512 of a whole file, as `parameters.json` states it (spec
/// formats.md 1.6).
using FileDigest = std::array<std::uint8_t, 16>;
[[nodiscard]] FileDigest file_digest(ByteSpan bytes);
/// The same of a file that takes a minute to read: kCancelled every 16 MiB.
[[nodiscard]] Result<FileDigest> file_digest(ByteSpan bytes, const CancelToken& cancel);

/// What a file was when it was looked at: enough to notice that it changed.
struct FileIdentity {
  std::filesystem::path path;  ///< absolute, without links
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< in the file clock of the standard library
};
/// kNotFound if there is no such file.
[[nodiscard]] Result<FileIdentity> identify(const std::filesystem::path& path);

/// Good verdicts of the full check, one small text file each in a cache directory
/// (docs/formats.md). The file's name comes from the path, its text holds identity and digest; it
/// counts only if every byte is as `store` would write it, so a damaged or old one is simply no
/// verdict. Thread-safe.
class VerdictCache {
 public:
  explicit VerdictCache(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// True if this very file with this digest was checked before.
  [[nodiscard]] bool holds(const FileIdentity& file, const FileDigest& digest) const;
  /// The digest that the file had when it was checked, if its path, size and time are still the
  /// same.
  [[nodiscard]] std::optional<FileDigest> find(const FileIdentity& file) const;
  /// Writes a verdict, atomically; makes the directory.
  [[nodiscard]] Result<void> store(const FileIdentity& file, const FileDigest& digest) const;

 private:
  [[nodiscard]] std::filesystem::path verdict_path(const FileIdentity& file) const;

  std::filesystem::path directory_;
};

}  // namespace belfry::groth16
