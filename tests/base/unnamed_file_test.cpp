#include "belfry/base/unnamed_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "belfry/base/file.h"
#include "support/content.h"
#include "support/temp_dir.h"

namespace belfry {
namespace {

using test::content;

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(UnnamedFile, IsReadByItsWriterAloneUntilCommit) {
  const test::TempDir dir;
  std::ofstream(dir / "out") << "old";
  auto file = UnnamedFile::create(dir / "out");
  ASSERT_TRUE(file) << file.error().describe();
  ASSERT_TRUE(file->write(as_bytes("..llo")));
  ASSERT_TRUE(file->write(as_bytes(" world")));
  ASSERT_TRUE(file->write_at(0, as_bytes("he")));
  EXPECT_EQ(file->size(), 11U);
  EXPECT_EQ(content(file->readable_path()), "hello world");
  const auto mapped = MappedFile::open(file->readable_path());
  ASSERT_TRUE(mapped) << mapped.error().describe();
  EXPECT_EQ(mapped->bytes().size(), 11U);
  EXPECT_EQ(content(dir / "out"), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content(dir / "out"), "hello world");
  EXPECT_EQ(entries(dir.path()), 1U);
}

TEST(UnnamedFile, IsReadByOtherUsersWhateverTheUmask) {
  const test::TempDir dir;
  constexpr mode_t kOwnerAlone = 077;
  const mode_t before = ::umask(kOwnerAlone);
  auto file = UnnamedFile::create(dir / "out");
  (void)::umask(before);
  ASSERT_TRUE(file) << file.error().describe();
  ASSERT_TRUE(file->commit());
  constexpr mode_t kPermissions = 0777;
  struct stat info{};
  ASSERT_EQ(::stat((dir / "out").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & kPermissions, 0644U);
}

TEST(UnnamedFile, TwoOfOneTargetNeverMeet) {
  const test::TempDir dir;
  auto first = UnnamedFile::create(dir / "out");
  auto second = UnnamedFile::create(dir / "out");
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->readable_path(), second->readable_path());
  ASSERT_TRUE(first->write(as_bytes("first")));
  ASSERT_TRUE(second->write(as_bytes("second")));
  EXPECT_EQ(content(first->readable_path()), "first");
  ASSERT_TRUE(second->commit());
  EXPECT_EQ(content(first->readable_path()), "first") << "what was checked is what gets the name";
  ASSERT_TRUE(first->commit());
  EXPECT_EQ(content(dir / "out"), "first");
  EXPECT_EQ(entries(dir.path()), 1U);
}

TEST(UnnamedFile, LeavesNothingWithoutCommit) {
  const test::TempDir dir;
  {
    auto file = UnnamedFile::create(dir / "out");
    ASSERT_TRUE(file);
    const UnnamedFile moved = *std::move(file);
    EXPECT_TRUE(std::filesystem::exists(moved.readable_path()));
  }
  EXPECT_EQ(entries(dir.path()), 0U);
}

TEST(UnnamedFile, AKilledWriterLeavesNothing) {
  const test::TempDir dir;
  const int probe = ::open(dir.path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  // Where the file system has no files without a name, the one beside the target stays.
  const std::size_t expected = probe >= 0 ? 0 : 1;
  if (probe >= 0) (void)::close(probe);
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = UnnamedFile::create(dir / "out");
    if (file && file->write(as_bytes("half"))) (void)::raise(SIGKILL);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(entries(dir.path()), expected);
}

TEST(UnnamedFile, NamesATargetThatCanNotBe) {
  const test::TempDir dir;
  const auto refused = UnnamedFile::create(dir / "none/out");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(refused.error().file, (dir / "none/out").string());
}

}  // namespace
}  // namespace belfry
