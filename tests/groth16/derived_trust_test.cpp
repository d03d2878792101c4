// A bad file of derived parameters is held against that file alone.
#include "belfry/groth16/prove/derived_trust.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/temp_dir.h"

namespace belfry::groth16 {
namespace {

class Trust : public testing::Test {
 protected:
  /// A new file under this name, of the same size each time.
  [[nodiscard]] std::filesystem::path make(const std::string& name) const {
    std::ofstream(dir_ / "new") << "derived";
    std::filesystem::rename(dir_ / "new", dir_ / name);
    return dir_ / name;
  }
  [[nodiscard]] std::filesystem::path load(const std::string& name) {
    auto path = make(name);
    trust_.loaded(path);
    return path;
  }

  belfry::test::TempDir dir_;
  DerivedTrust trust_;
};

TEST_F(Trust, IsLostByOneFileAtATime) {
  const auto first = load("first");
  const auto second = load("second");
  EXPECT_TRUE(trust_.trusts_all());
  EXPECT_TRUE(trust_.trusts(first));
  trust_.distrust(first);
  trust_.distrust(first);
  EXPECT_FALSE(trust_.trusts_all());
  EXPECT_FALSE(trust_.trusts(first));
  EXPECT_FALSE(trust_.trusts_loaded(first));
  EXPECT_TRUE(trust_.trusts(second)) << "another file with the same content";
  EXPECT_TRUE(trust_.trusts_loaded(second));
  EXPECT_TRUE(trust_.trusts(dir_ / "third"));
}

TEST_F(Trust, ComesBackWithAFileThatIsMadeAnew) {
  const auto path = load("first");
  const auto time = std::filesystem::last_write_time(path);
  trust_.distrust(path);
  const std::filesystem::path old = dir_ / "old";
  std::filesystem::rename(path, old);  // so that its inode is not given to the next one
  (void)make("first");
  std::filesystem::last_write_time(path, time);
  EXPECT_TRUE(trust_.trusts(path)) << "of the same size and time";
  EXPECT_FALSE(trust_.trusts_loaded(path)) << "what is in use is the old one";
  trust_.loaded(path);
  EXPECT_TRUE(trust_.trusts_loaded(path));
  std::filesystem::rename(old, path);
  EXPECT_FALSE(trust_.trusts(path)) << "brought back, it is the bad one";
  std::ofstream(path, std::ios::app) << ", and mended in its place";
  EXPECT_TRUE(trust_.trusts(path));
}

/// The proof may be checked long after the file that it was made with has gone.
TEST_F(Trust, IsLostByTheFileThatWasLoaded) {
  const auto path = load("first");
  std::filesystem::rename(path, dir_ / "old");
  (void)make("first");
  trust_.distrust(path);
  EXPECT_TRUE(trust_.trusts(path));
  EXPECT_FALSE(trust_.trusts_loaded(path));
  trust_.distrust(dir_ / "never loaded");
  EXPECT_TRUE(trust_.trusts(dir_ / "never loaded"));
}

}  // namespace
}  // namespace belfry::groth16
