#include "belfry/base/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/content.h"
#include "support/temp_dir.h"

namespace belfry {
namespace {

using test::content;

TEST(OutputFile, IsWrittenInAnyOrder) {
  const test::TempDir dir;
  auto file = OutputFile::create(dir / "file");
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->write_at(4, as_bytes("ef")));
  EXPECT_TRUE(file->write_at(0, as_bytes("abc")));
  EXPECT_TRUE(file->write_at(1, {}));
  OutputFile moved = std::move(*file);
  EXPECT_TRUE(moved.close());
  EXPECT_EQ(content(dir / "file"), std::string("abc\0ef", 6));
}

TEST(OutputFile, IsReadByOtherUsersWhateverTheUmask) {
  const test::TempDir dir;
  constexpr mode_t kOwnerAlone = 077;
  const mode_t before = ::umask(kOwnerAlone);
  const auto written = write_output_file(dir / "file", as_bytes("x"));
  (void)::umask(before);
  ASSERT_TRUE(written) << written.error().describe();
  constexpr mode_t kPermissions = 0777;
  struct stat info{};
  ASSERT_EQ(::stat((dir / "file").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & kPermissions, 0644U);
}

TEST(OutputFile, RefusesTakenAndImpossibleNames) {
  const test::TempDir dir;
  ASSERT_TRUE(write_output_file(dir / "file", as_bytes("x")));
  const auto taken = write_output_file(dir / "file", as_bytes("y"));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(taken.error().file, (dir / "file").string());
  EXPECT_EQ(content(dir / "file"), "x");
  const auto missing = OutputFile::create(dir / "none/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST(OutputFile, ALinkIsATakenName) {
  const test::TempDir dir;
  std::filesystem::create_symlink(dir / "elsewhere", dir / "link");
  EXPECT_FALSE(OutputFile::create(dir / "link"));
  EXPECT_FALSE(std::filesystem::exists(dir / "elsewhere"));
}

}  // namespace
}  // namespace belfry
