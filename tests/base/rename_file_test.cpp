#include "belfry/base/rename_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_dir.h"

namespace belfry {
namespace {

class RenameFile : public testing::Test {
 protected:
  void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
  }
  [[nodiscard]] static std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  test::TempDir folder_;
};

TEST_F(RenameFile, TakesThePlaceOfWhatHasTheName) {
  write(folder_ / "new", "checked");
  write(folder_ / "name", "old");
  ASSERT_TRUE(rename_file(folder_ / "new", folder_ / "name"));
  EXPECT_EQ(read(folder_ / "name"), "checked");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));
}

TEST_F(RenameFile, NamesTheFileThatCanNotBe) {
  write(folder_ / "new", "checked");
  const auto nowhere = rename_file(folder_ / "new", folder_ / "none" / "name");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(nowhere.error().file, (folder_ / "none" / "name").string());
  std::filesystem::create_directory(folder_ / "taken");
  const auto taken = rename_file(folder_ / "new", folder_ / "taken");
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(read(folder_ / "new"), "checked");
}

}  // namespace
}  // namespace belfry
