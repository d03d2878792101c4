#pragma once

#include <filesystem>
#include <utility>

#include "belfry/base/error.h"

namespace belfry::engine {

/// A path that was free and is taken for as long as this lives: whatever stands there at the end is
/// removed, on every way out. Move-only.
class ScratchFile {
 public:
  /// Makes an empty file there, in one step with the question whether there is one. kInvalidUsage,
  /// naming the path, if anything stands there already (it is left alone) or no file can be made.
  [[nodiscard]] static Result<ScratchFile> reserve(const std::filesystem::path& path);

  ScratchFile(ScratchFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFile& operator=(ScratchFile&&) = delete;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  explicit ScratchFile(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty after a move
};

}  // namespace belfry::engine
