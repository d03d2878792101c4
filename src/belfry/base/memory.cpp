#include "belfry/base/memory.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace belfry {
namespace {

constexpr std::uint64_t kKib = 1024;

/// The number in front of a text such as "   1234 kB" or "1234\n"; nothing for "max".
std::optional<std::uint64_t> leading_number(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data() + start, text.data() + text.size(), value);
  if (code != std::errc{}) return std::nullopt;
  return value;
}

/// The number behind a name that begins a line: "Name:   1234 kB", "name 1234".
std::optional<std::uint64_t> field_of(const std::filesystem::path& file, std::string_view name) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (!line.starts_with(name)) continue;
    const auto value = leading_number(std::string_view(line).substr(name.size()));
    if (value) return value;
  }
  return std::nullopt;
}

/// "Name:   1234 kB" lines of /proc files, in bytes.
std::optional<std::uint64_t> kib_field(const std::filesystem::path& file, std::string_view name) {
  const auto kib = field_of(file, name);
  return kib ? std::optional(*kib * kKib) : std::nullopt;
}

std::optional<std::uint64_t> number_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  return leading_number(line);
}

/// Path of this process's group in the hierarchy of `controller` ("" is cgroup v2), without its
/// first slash. Lines of proc/self/cgroup read `id:controllers:/path`.
std::filesystem::path group_path(const std::filesystem::path& root, std::string_view controller) {
  std::ifstream in(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) != controller) continue;
    return std::filesystem::path(line.substr(second + 1)).relative_path();
  }
  return {};
}

/// Where a hierarchy of groups lies, and how it calls its numbers.
struct Hierarchy {
  std::string_view folder;               ///< in sys/fs/cgroup
  std::string_view controller;           ///< in proc/self/cgroup
  std::string_view limit;                ///< file of a group
  std::array<std::string_view, 2> held;  ///< in memory.stat: what only swapping would free
};
constexpr std::array kHierarchies{
    Hierarchy{"", "", "memory.max", {"anon ", "shmem "}},
    Hierarchy{"memory", "memory", "memory.limit_in_bytes", {"total_rss ", "total_shmem "}}};

/// The limit of one group; none if it has none.
std::optional<std::uint64_t> limit_of(const std::filesystem::path& group,
                                      const Hierarchy& hierarchy) {
  return number_file(group / hierarchy.limit);
}

/// What the processes of a group, and of those below it, leave of its limit.
std::optional<std::uint64_t> room_of(const std::filesystem::path& group,
                                     const Hierarchy& hierarchy) {
  const auto limit = limit_of(group, hierarchy);
  if (!limit) return std::nullopt;
  std::uint64_t held = 0;
  for (const std::string_view name : hierarchy.held) {
    held += field_of(group / "memory.stat", name).value_or(0);
  }
  return *limit - std::min(*limit, held);
}

using GroupNumber = std::optional<std::uint64_t> (*)(const std::filesystem::path&,
                                                     const Hierarchy&);

/// The least number of the process's group and the groups above it, in both hierarchies.
std::uint64_t least_of_groups(const std::filesystem::path& root, GroupNumber number) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const Hierarchy& hierarchy : kHierarchies) {
    const std::filesystem::path top = root / "sys/fs/cgroup" / hierarchy.folder;
    std::filesystem::path group = group_path(root, hierarchy.controller);
    for (bool more = true; more; group = group.parent_path()) {
      least = std::min(least, number(top / group, hierarchy).value_or(least));
      more = !group.empty();
    }
  }
  return least;
}

}  // namespace

MemoryUse memory_use() {
  const std::filesystem::path status = "/proc/self/status";
  return {.resident_bytes = kib_field(status, "VmRSS:").value_or(0),
          .peak_resident_bytes = kib_field(status, "VmHWM:").value_or(0),
          .anonymous_bytes = kib_field(status, "RssAnon:").value_or(0)};
}

Result<MemoryRise> MemoryRise::start() {
  const std::filesystem::path marks = "/proc/self/clear_refs";
  (void)::malloc_trim(0);
  const std::uint64_t earlier_peak = memory_use().peak_resident_bytes;
  std::ofstream out(marks);
  // proc(5): 5 sets the highest resident size to the present one.
  out << "5" << std::flush;
  if (!out) {
    return fail(Error{ErrorCode::kNotFound, "base.memory",
                      "the kernel does not let the highest resident size be set back"}
                    .in_file(marks.string()));
  }
  return MemoryRise(memory_use().resident_bytes, earlier_peak);
}

std::uint64_t MemoryRise::bytes() const {
  const std::uint64_t peak = memory_use().peak_resident_bytes;
  return peak - std::min(peak, resident_bytes_);
}

Result<std::uint64_t> memory_limit_bytes(const std::filesystem::path& root) {
  const auto machine = kib_field(root / "proc/meminfo", "MemTotal:");
  if (!machine) {
    return fail(Error{ErrorCode::kNotFound, "base.memory", "the kernel does not tell its memory"}
                    .in_file((root / "proc/meminfo").string())
                    .in_section("MemTotal"));
  }
  return std::min(*machine, least_of_groups(root, limit_of));
}

Result<std::uint64_t> available_memory_bytes(const std::filesystem::path& root) {
  BELFRY_TRY(const std::uint64_t limit, memory_limit_bytes(root));
  const std::uint64_t own = limit - std::min(limit, memory_use().anonymous_bytes);
  const std::uint64_t machine = kib_field(root / "proc/meminfo", "MemAvailable:").value_or(limit);
  return std::min({own, machine, least_of_groups(root, room_of)});
}

std::uint64_t memory_limit_bytes() {
  return memory_limit_bytes(std::filesystem::path("/"))
      .value_or(std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t available_memory_bytes() {
  return available_memory_bytes(std::filesystem::path("/"))
      .value_or(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace belfry
