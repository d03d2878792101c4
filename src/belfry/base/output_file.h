#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

namespace belfry {

/// A new file in a folder that nobody relies on yet, such as an AtomicDirectory before its commit:
/// written in place, and left to the kernel to bring to the disk. Whoever needs a file under its
/// final name whole or not at all takes AtomicFile. Move-only; `write_at` from one thread at a
/// time.
class OutputFile {
 public:
  /// kInvalidInput if the name is taken.
  [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path);

  OutputFile(OutputFile&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  OutputFile& operator=(OutputFile&&) = delete;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Anywhere in the file; what is never written reads as zero bytes. kResourceExhausted when the
  /// disk is full.
  [[nodiscard]] Result<void> write_at(std::uint64_t offset, ByteSpan bytes);
  /// No writes after that. Tells what the file system kept back until now.
  [[nodiscard]] Result<void> close();

 private:
  OutputFile(std::filesystem::path path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}

  std::filesystem::path path_;
  int descriptor_;
};

/// The same in one call.
[[nodiscard]] Result<void> write_output_file(const std::filesystem::path& path, ByteSpan bytes);

}  // namespace belfry
