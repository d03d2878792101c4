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

/// What this process may use, the least of: memory of the machine, cgroup v2 limits (memory.max of
/// the process's group and of every group above it) and cgroup v1's limit. Bytes.
[[nodiscard]] std::uint64_t memory_limit_bytes();

/// The same for a root folder that holds `proc/` and `sys/fs/cgroup/` as the kernel shows them: for
/// tests. kNotFound if not even `proc/meminfo` can be read.
[[nodiscard]] Result<std::uint64_t> memory_limit_bytes(const std::filesystem::path& root);

}  // namespace belfry
