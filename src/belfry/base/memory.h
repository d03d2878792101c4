#pragma once

#include <cstdint>
#include <filesystem>

#include "belfry/base/error.h"

namespace belfry {

/// What this process uses, from /proc/self/status. Zero where the kernel does not say.
struct MemoryUse {
  std::uint64_t resident_bytes = 0;       ///< now: everything, mapped files included
  std::uint64_t peak_resident_bytes = 0;  ///< the highest `resident_bytes` since the start
  std::uint64_t anonymous_bytes = 0;      ///< now: what would need swap, so without mapped files
};

/// Asks the kernel. Costs a file read: once a stage, not once a loop.
[[nodiscard]] MemoryUse memory_use();

/// How far the resident memory of this process rises above what it was at the start: what a piece
/// of work needs beside what stood before it. Other threads' memory counts too. One at a time: the
/// kernel keeps one highest mark a process, and `start` moves it, so that `memory_use` tells the
/// highest since then.
class MemoryRise {
 public:
  /// Gives free heap pages back first, else the work would find its memory there unseen. kNotFound
  /// where the kernel does not let the mark be moved (/proc/self/clear_refs).
  [[nodiscard]] static Result<MemoryRise> start();
  /// The highest since the start, above what stood then.
  [[nodiscard]] std::uint64_t bytes() const;
  /// The highest before the start, everything included.
  [[nodiscard]] std::uint64_t earlier_peak_bytes() const noexcept { return earlier_peak_bytes_; }

 private:
  MemoryRise(std::uint64_t resident_bytes, std::uint64_t earlier_peak_bytes) noexcept
      : resident_bytes_(resident_bytes), earlier_peak_bytes_(earlier_peak_bytes) {}

  std::uint64_t resident_bytes_;
  std::uint64_t earlier_peak_bytes_;
};

/// What this process may use, the least of: memory of the machine, cgroup v2 limits (memory.max of
/// the process's group and of every group above it) and cgroup v1's limit. Bytes.
[[nodiscard]] std::uint64_t memory_limit_bytes();

/// What this process may take beside what it holds now, the least of: memory_limit_bytes less its
/// anonymous memory, what the kernel can give without swapping (MemAvailable), and what the
/// processes of each limited group leave of its limit. Bytes; another process may take them in the
/// next moment.
[[nodiscard]] std::uint64_t available_memory_bytes();

/// The same for a root folder that holds `proc/` and `sys/fs/cgroup/` as the kernel shows them: for
/// tests. kNotFound if not even `proc/meminfo` can be read.
[[nodiscard]] Result<std::uint64_t> memory_limit_bytes(const std::filesystem::path& root);
[[nodiscard]] Result<std::uint64_t> available_memory_bytes(const std::filesystem::path& root);

}  // namespace belfry
