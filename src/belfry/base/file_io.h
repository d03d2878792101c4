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
/// Forces a renamed name to the disk: without it a loss of power may bring the old name back. A
/// folder that can't be opened for reading or flushed by its file system is left to the kernel.
[[nodiscard]] Result<void> sync_folder_of(const std::filesystem::path& path);
/// All bytes at `offset`, however often the kernel wants to be asked.
[[nodiscard]] Result<void> write_fully(const std::filesystem::path& path, int descriptor,
                                       ByteSpan bytes, std::uint64_t offset);

}  // namespace belfry::detail
