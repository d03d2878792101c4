#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

namespace belfry {

/// A file that its writer reads and checks before anybody else sees it: it has no name until
/// `commit`, so no other process can mistake it for its own, and one killed before leaves nothing.
///
/// On a file system that knows no files without a name (NFS, some overlays) it has a unique one
/// beside the target (`TARGET.XXXXXX`), which a killed process leaves there. So does one that is
/// killed within `commit`, between a name beside the target (`TARGET.PID-0`) and the target's own.
/// Others read it whatever the umask is. Move-only, one thread.
class UnnamedFile {
 public:
  /// Errors of AtomicFile::create.
  [[nodiscard]] static Result<UnnamedFile> create(const std::filesystem::path& target);

  UnnamedFile(UnnamedFile&& other) noexcept
      : target_(std::move(other.target_)),
        name_(std::exchange(other.name_, {})),
        descriptor_(std::exchange(other.descriptor_, -1)),
        size_(other.size_) {}
  UnnamedFile& operator=(UnnamedFile&&) = delete;
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile();

  /// Appends. kResourceExhausted when the disk is full.
  [[nodiscard]] Result<void> write(ByteSpan bytes);
  /// Overwrites earlier bytes, for a header that is known last.
  [[nodiscard]] Result<void> write_at(std::uint64_t offset, ByteSpan bytes);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// Under which this process can open what is written so far, while the object lives.
  [[nodiscard]] std::filesystem::path readable_path() const;
  /// Flushes to disk and gives the target's name, in place of a file that has it. No writes after
  /// that.
  [[nodiscard]] Result<void> commit();

 private:
  UnnamedFile(std::filesystem::path target, std::filesystem::path name, int descriptor)
      : target_(std::move(target)), name_(std::move(name)), descriptor_(descriptor) {}

  /// A name beside the target that no other file has, for the step to the target's own: a link can
  /// not replace a file, a rename can.
  [[nodiscard]] Result<void> link();

  std::filesystem::path target_;
  std::filesystem::path name_;  ///< empty while there is none
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace belfry
