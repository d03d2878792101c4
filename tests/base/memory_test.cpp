#include "belfry/base/memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/temp_dir.h"

namespace belfry {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20U;

/// A folder that looks like / of a machine with 8 GiB.
class FakeRoot {
 public:
  FakeRoot() { put("proc/meminfo", "MemFree: 1 kB\nMemTotal:        8388608 kB\n"); }
  void put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name) << text;
  }
  [[nodiscard]] std::uint64_t limit() const { return memory_limit_bytes(dir_.path()).value(); }
  [[nodiscard]] std::uint64_t available() const {
    return available_memory_bytes(dir_.path()).value();
  }
  [[nodiscard]] const std::filesystem::path& path() const { return dir_.path(); }

 private:
  test::TempDir dir_;
};

TEST(MemoryUse, SeesAnAllocation) {
  const MemoryUse before = memory_use();
  std::vector<char> block(64 * kMib);
  std::memset(block.data(), 1, block.size());
  const MemoryUse after = memory_use();
  EXPECT_GE(after.anonymous_bytes, before.anonymous_bytes + 32 * kMib);
  EXPECT_GE(after.resident_bytes, after.anonymous_bytes);
  EXPECT_GE(after.peak_resident_bytes, after.resident_bytes / 2);
  EXPECT_EQ(block[kMib], 1);
}

/// What a touched byte takes: the thread sanitizer keeps four bytes and more beside each.
#if defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kMostOfAByte = 6;
#else
constexpr std::uint64_t kMostOfAByte = 1;
#endif

TEST(MemoryRise, IsWhatWorkNeededAboveWhatStoodBefore) {
  const auto touched = [](std::size_t mib) {
    std::vector<char> block(mib * kMib);
    std::memset(block.data(), 1, block.size());
    return block;
  };
  // Neither what was freed before nor what is still there counts.
  EXPECT_EQ(touched(128)[kMib], 1);
  const std::vector<char> standing = touched(64);
  const auto rise = MemoryRise::start();
  if (!rise) {
    // Not every kernel lets a process put its peak back.
    EXPECT_EQ(rise.error().code, ErrorCode::kNotFound) << rise.error().describe();
    return;
  }
  EXPECT_GE(rise->earlier_peak_bytes(), 120 * kMib);
  EXPECT_LE(rise->bytes(), 4 * kMib);
  EXPECT_EQ(touched(32)[kMib], 1);
  EXPECT_GE(rise->bytes(), 28 * kMib);
  EXPECT_LE(rise->bytes(), 40 * kMib * kMostOfAByte);
  EXPECT_EQ(standing[kMib], 1);
}

TEST(MemoryLimit, OfThisMachineIsSane) {
  EXPECT_GT(memory_limit_bytes(), 64 * kMib);
  EXPECT_LT(memory_limit_bytes(), std::uint64_t{1} << 50U);
}

TEST(MemoryLimit, WithoutGroupsIsTheMachine) {
  const FakeRoot root;
  EXPECT_EQ(root.limit(), 8192 * kMib);
}

TEST(MemoryLimit, TakesTheTightestGroupOnTheWayUp) {
  FakeRoot root;
  root.put("proc/self/cgroup", "0::/outer/inner\n");
  root.put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(root.limit(), 8192 * kMib);
  root.put("sys/fs/cgroup/outer/memory.max", "1073741824\n");
  EXPECT_EQ(root.limit(), 1024 * kMib);
  root.put("sys/fs/cgroup/outer/inner/memory.max", "536870912\n");
  EXPECT_EQ(root.limit(), 512 * kMib);
  root.put("sys/fs/cgroup/memory.max", "268435456\n");
  EXPECT_EQ(root.limit(), 256 * kMib) << "a container sees its own group as the top";
}

TEST(MemoryLimit, KnowsTheOldHierarchy) {
  FakeRoot root;
  root.put("proc/self/cgroup", "5:cpu:/x\n4:memory:/job\n");
  root.put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "134217728\n");
  root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(root.limit(), 128 * kMib);
}

TEST(MemoryLimit, FailsWithoutMeminfo) {
  const test::TempDir empty;
  EXPECT_EQ(memory_limit_bytes(empty.path()).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(available_memory_bytes(empty.path()).error().code, ErrorCode::kNotFound);
}

TEST(AvailableMemory, IsWhatOtherProcessesLeaveOfTheMachine) {
  FakeRoot root;
  const std::uint64_t alone = root.available();
  EXPECT_LT(alone, 8192 * kMib) << "what this process holds is no more to be had";
  EXPECT_GT(alone, 4096 * kMib);
  root.put("proc/meminfo", "MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable:  1048576 kB\n");
  EXPECT_EQ(root.available(), 1024 * kMib);
  EXPECT_EQ(root.limit(), 8192 * kMib);
  EXPECT_GT(available_memory_bytes(), 0U);
  EXPECT_LE(available_memory_bytes(), memory_limit_bytes());
}

TEST(AvailableMemory, IsWhatOtherProcessesLeaveOfAGroup) {
  FakeRoot root;
  root.put("proc/self/cgroup", "0::/outer/inner\n4:memory:/job\n");
  root.put("sys/fs/cgroup/outer/memory.max", "1073741824\n");
  root.put("sys/fs/cgroup/outer/memory.stat",
           "anon 268435456\nfile 999999999\nshmem 134217728\nanon_thp 7\n");
  EXPECT_EQ(root.available(), (1024 - 256 - 128) * kMib) << "the kernel takes files back";
  root.put("sys/fs/cgroup/outer/inner/memory.stat", "anon 1073741823\n");
  EXPECT_EQ(root.available(), (1024 - 256 - 128) * kMib) << "a group without a limit";
  root.put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
  root.put("sys/fs/cgroup/memory/job/memory.stat", "rss 1\ntotal_rss 536870000\n");
  EXPECT_EQ(root.available(), 912U);
  root.put("sys/fs/cgroup/memory/job/memory.stat", "total_rss 999999999\n");
  EXPECT_EQ(root.available(), 0U);
}

}  // namespace
}  // namespace belfry
