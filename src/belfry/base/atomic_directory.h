#pragma once

#include <filesystem>

#include "belfry/base/error.h"

namespace belfry {

/// A folder that appears whole: it is filled beside its target and renamed on `commit`, so a killed
/// process leaves nothing under the target's name. (Against a loss of power the files in it would
/// have to be forced to the disk, too.) Destroyed without commit, it removes what it
/// holds. Move-only, one thread.
class AtomicDirectory {
 public:
  /// Makes the folder to be filled. kInvalidInput if the target exists and is anything but an empty
  /// folder; folders above it are made.
  [[nodiscard]] static Result<AtomicDirectory> create(const std::filesystem::path& target);

  AtomicDirectory(AtomicDirectory&& other) noexcept;
  AtomicDirectory& operator=(AtomicDirectory&&) = delete;
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;
  ~AtomicDirectory();

  /// Where to write before `commit`.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }
  /// Where everything stands after it.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// Renames to the target. Fails if somebody else filled it meanwhile.
  [[nodiscard]] Result<void> commit();

 private:
  AtomicDirectory(std::filesystem::path target, std::filesystem::path temporary);

  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty once committed or moved from
};

}  // namespace belfry
