#pragma once

#include <filesystem>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

/// What the file classes of this room share. Private to it.
namespace belfry::detail {

/// The error of a failed system call: kNotFound, kResourceExhausted or kInvalidInput by its errno.
[[nodiscard]] Error io_error(const std::filesystem::path& path, const std::string& action,
                             int code);
/// Whoever proves may be another user than the one who writes, whatever the umask of this one.
void let_others_read(int descriptor) noexcept;
/// A new file under a unique name beside its target.
struct FileBeside {
  std::filesystem::path name;  ///< `TARGET.XXXXXX`
  int descriptor;              ///< the caller's to close
};
[[nodiscard]] Result<FileBeside> create_beside(const std::filesystem::path& target);
/// Forces a renamed name to the disk: without it a loss of power may bring the old name back. A
/// folder that can't be opened for reading or flushed by its file system is left to the kernel.
[[nodiscard]] Result<void> sync_folder_of(const std::filesystem::path& path);
/// All bytes at `offset`, however often the kernel wants to be asked.
[[nodiscard]] Result<void> write_fully(const std::filesystem::path& path, int descriptor,
                                       ByteSpan bytes, std::uint64_t offset);

}  // namespace belfry::detail
