#include "belfry/base/atomic_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace belfry {
namespace {

namespace fs = std::filesystem;

class AtomicDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) / (std::string("belfry_directory_") + info->name());
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] std::size_t entries() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(root_)) count += entry.exists() ? 1 : 0;
    return count;
  }
  static void touch(const fs::path& path) { std::ofstream(path) << "x"; }

  fs::path root_;
};

TEST_F(AtomicDirectoryTest, AppearsOnCommit) {
  const fs::path target = root_ / "above" / "sector";
  {
    auto folder = AtomicDirectory::create(target / "");
    ASSERT_TRUE(folder) << folder.error().describe();
    EXPECT_EQ(folder->target(), target);
    touch(folder->path() / "file");
    EXPECT_FALSE(fs::exists(target));
    ASSERT_TRUE(folder->commit());
  }
  EXPECT_TRUE(fs::exists(target / "file"));
}

TEST_F(AtomicDirectoryTest, LeavesNothingWithoutCommit) {
  {
    auto folder = AtomicDirectory::create(root_ / "sector");
    ASSERT_TRUE(folder);
    fs::create_directory(folder->path() / "inner");
    touch(folder->path() / "inner" / "file");
    const AtomicDirectory moved = std::move(*folder);
    EXPECT_EQ(entries(), 1U);
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(AtomicDirectoryTest, TakesAnEmptyFolder) {
  fs::create_directory(root_ / "sector");
  auto folder = AtomicDirectory::create(root_ / "sector");
  ASSERT_TRUE(folder);
  touch(folder->path() / "file");
  ASSERT_TRUE(folder->commit());
  EXPECT_TRUE(fs::exists(root_ / "sector" / "file"));
}

TEST_F(AtomicDirectoryTest, RefusesATakenName) {
  touch(root_ / "file");
  const auto file = AtomicDirectory::create(root_ / "file");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(file.error().file, (root_ / "file").string());
  fs::create_directory(root_ / "full");
  touch(root_ / "full" / "file");
  EXPECT_FALSE(AtomicDirectory::create(root_ / "full"));
  EXPECT_FALSE(AtomicDirectory::create(root_ / "file" / "below"));
  EXPECT_EQ(entries(), 2U);
}

TEST_F(AtomicDirectoryTest, DoesNotReplaceWhatCameMeanwhile) {
  auto folder = AtomicDirectory::create(root_ / "sector");
  ASSERT_TRUE(folder);
  fs::create_directory(root_ / "sector");
  touch(root_ / "sector" / "other");
  const auto renamed = folder->commit();
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().code, ErrorCode::kInvalidInput);
  EXPECT_TRUE(fs::exists(root_ / "sector" / "other"));
}

}  // namespace
}  // namespace belfry
