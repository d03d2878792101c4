#include "belfry/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "support/content.h"
#include "support/temp_dir.h"

namespace belfry {
namespace {

using test::content;

void put(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}
std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(MappedFile, ShowsTheBytes) {
  const test::TempDir dir;
  put(dir / "a", "hello");
  auto mapped = MappedFile::open(dir / "a");
  ASSERT_TRUE(mapped.has_value());
  EXPECT_EQ(to_hex(mapped->bytes()), to_hex(as_bytes("hello")));
  EXPECT_EQ(mapped->path(), dir / "a");
  const MappedFile moved = std::move(*mapped);
  EXPECT_EQ(moved.bytes().size(), 5U);
}

TEST(MappedFile, AnEmptyFileHasNoBytes) {
  const test::TempDir dir;
  put(dir / "a", "");
  EXPECT_TRUE(MappedFile::open(dir / "a").value().bytes().empty());
}

TEST(MappedFile, RefusesWhatIsNoFile) {
  const test::TempDir dir;
  const auto missing = MappedFile::open(dir / "none");
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().file, (dir / "none").string());
  EXPECT_EQ(MappedFile::open(dir.path()).error().code, ErrorCode::kInvalidInput);
  put(dir / "a", "x");
  EXPECT_EQ(MappedFile::open(dir / "a/b").error().code, ErrorCode::kNotFound);
}

TEST(MappedFile, DoesNotWaitForAPipe) {
  const test::TempDir dir;
  const auto pipe = dir / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(MappedFile::open(pipe).error().code, ErrorCode::kInvalidInput);
}

TEST(ReadFile, KeepsTheLimit) {
  const test::TempDir dir;
  put(dir / "a", "hello");
  EXPECT_EQ(read_file(dir / "a", 5).value().size(), 5U);
  const auto large = read_file(dir / "a", 4);
  EXPECT_EQ(large.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(large.error().expected, "at most 4 bytes");
  EXPECT_EQ(large.error().found, "5");
}

TEST(AtomicFile, AppearsWholeOnCommit) {
  const test::TempDir dir;
  auto file = AtomicFile::create(dir / "out");
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->write(as_bytes("..llo")).has_value());
  ASSERT_TRUE(file->write(as_bytes(" world")).has_value());
  ASSERT_TRUE(file->write_at(0, as_bytes("he")).has_value());
  EXPECT_EQ(file->size(), 11U);
  EXPECT_FALSE(std::filesystem::exists(dir / "out"));
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(content(dir / "out"), "hello world");
  EXPECT_EQ(entries(dir.path()), 1U);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const test::TempDir dir;
  put(dir / "out", "old");
  {
    auto file = AtomicFile::create(dir / "out");
    ASSERT_TRUE(file.has_value());
    const AtomicFile moved = std::move(*file);
    EXPECT_EQ(entries(dir.path()), 2U);
  }
  EXPECT_EQ(content(dir / "out"), "old");
  EXPECT_EQ(entries(dir.path()), 1U);
}

TEST(AtomicFile, ReplacesTheOldFileAtOnce) {
  const test::TempDir dir;
  put(dir / "out", "old");
  auto file = AtomicFile::create(dir / "out");
  ASSERT_TRUE(file->write(as_bytes("new")).has_value());
  EXPECT_EQ(content(dir / "out"), "old");
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(content(dir / "out"), "new");
}

TEST(AtomicFile, AKilledWriterLeavesTheTargetAlone) {
  const test::TempDir dir;
  put(dir / "out", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = AtomicFile::create(dir / "out");
    if (file.has_value() && file->write(as_bytes("half")).has_value()) (void)::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(content(dir / "out"), "old");
}

TEST(AtomicFile, NamesTheTargetInErrors) {
  const test::TempDir dir;
  const auto missing = AtomicFile::create(dir / "no/such/out");
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().file, (dir / "no/such/out").string());
}

TEST(AtomicFile, NoRoomIsResourceExhausted) {
  const test::TempDir dir;
  auto file = AtomicFile::create(dir / "out");
  ASSERT_TRUE(file.has_value());
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit four_bytes{4, 4};
    (void)::signal(SIGXFSZ, SIG_IGN);
    (void)::setrlimit(RLIMIT_FSIZE, &four_bytes);
    const auto written = file->write(as_bytes("hello"));
    ::_exit(!written && written.error().code == ErrorCode::kResourceExhausted ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace belfry
