#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

namespace belfry {

/// A whole file mapped for reading. Pages are loaded when they are touched. Move-only.
///
/// The mapping is private: the kernel may still show changes that another process makes to the
/// file, so whatever was validated is copied or digested before it is relied upon.
class MappedFile {
 public:
  /// kNotFound if there is no such file, kInvalidInput if it is not a regular file or can't be
  /// read.
  [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept
      : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] ByteSpan bytes() const noexcept { return bytes_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  MappedFile(std::filesystem::path path, ByteSpan bytes) : path_(std::move(path)), bytes_(bytes) {}

  std::filesystem::path path_;
  ByteSpan bytes_;
};

/// Reads a small file whole; refuses one above `limit_bytes` before allocating.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path,
                                                          std::uint64_t limit_bytes);

/// Writes beside the target and renames on `commit`: a killed process leaves nothing or a whole
/// file. Destroyed without commit, it removes what it wrote. Move-only, one thread.
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& target);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Appends. kResourceExhausted when the disk is full.
  [[nodiscard]] Result<void> write(ByteSpan bytes);
  /// Overwrites earlier bytes, for a header that is known last.
  [[nodiscard]] Result<void> write_at(std::uint64_t offset, ByteSpan bytes);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Flushes to disk and renames to the target. No writes after that.
  [[nodiscard]] Result<void> commit();

 private:
  AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor)
      : target_(std::move(target)), temporary_(std::move(temporary)), descriptor_(descriptor) {}

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace belfry
