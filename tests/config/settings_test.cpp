#include "belfry/config/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "support/temp_dir.h"

namespace belfry::config {
namespace {

class ConfigFile : public testing::Test {
 protected:
  Result<void> read(std::string_view text) {
    std::ofstream(dir_ / "belfry.toml") << text;
    return read_config_file(dir_ / "belfry.toml", settings_);
  }
  test::TempDir dir_;
  Settings settings_;
};

TEST(SettingsTable, EveryRowShowsWhatItWasAssigned) {
  std::set<std::string_view> keys;
  for (const SettingRow& row : settings_table()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_FALSE(row.help.empty()) << row.key;
  }
  Settings settings;
  const std::pair<const char*, const char*> samples[] = {
      {"params", "/a"},       {"cache", "/b"},           {"backend", "cpu"},
      {"threads", "3"},       {"memory_budget", "1GiB"}, {"vram_budget", "2GiB"},
      {"log_level", "debug"}, {"log_format", "json"},    {"quiet", "true"}};
  EXPECT_EQ(std::size(samples), settings_table().size());
  for (const auto& [key, text] : samples) {
    ASSERT_TRUE(assign(settings, key, text).has_value()) << key;
    for (const SettingRow& row : settings_table()) {
      if (row.key == key) {
        EXPECT_EQ(row.show(settings), text) << key;
      }
    }
  }
}

TEST(SettingsTable, BadValuesNameTheRow) {
  Settings settings;
  const std::pair<const char*, const char*> samples[] = {
      {"params", ""},         {"cache", ""},         {"backend", "gpu"},
      {"backend", ""},        {"threads", ""},       {"threads", "-1"},
      {"threads", "4097"},    {"threads", "true"},   {"threads", "2x"},
      {"memory_budget", "1"}, {"vram_budget", ""},   {"log_level", "loud"},
      {"log_format", ""},     {"quiet", "1"},        {"quiet", "0"},
      {"quiet", ""},          {"threads", "02"},     {"memory_budget", "007GiB"},
      {"vram_budget", "01B"}, {"vram_budget", "0B"}, {"memory_budget", "0GiB"}};
  for (const auto& [key, text] : samples) {
    const auto done = assign(settings, key, text);
    ASSERT_FALSE(done.has_value()) << key << "=" << text;
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidUsage);
    EXPECT_EQ(done.error().section, key);
  }
  EXPECT_EQ(assign(settings, "none", "1").error().section, "none");
}

TEST_F(ConfigFile, SetsItsKeysAndLeavesTheRest) {
  ASSERT_TRUE(
      read("threads = 2\nbackend = \"cpu\" # why\nquiet = false\nmemory_budget = '1GiB'\n"));
  EXPECT_EQ(settings_.threads, 2U);
  EXPECT_EQ(settings_.backend, engine::BackendPolicy::kCpu);
  EXPECT_EQ(settings_.memory_budget_bytes, std::uint64_t{1} << 30U);
  EXPECT_FALSE(settings_.quiet);
  EXPECT_EQ(settings_.params, Settings{}.params);
  EXPECT_TRUE(read("").has_value());
}

TEST_F(ConfigFile, UnknownKeysAreRefusedWithTheirLine) {
  const auto done = read("threads = 2\n\nthread = 3\n");
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(done.error().section, "thread");
  EXPECT_EQ(done.error().found, "line 3");
  EXPECT_EQ(done.error().file, (dir_ / "belfry.toml").string());
  EXPECT_FALSE(read("[gpu]\nindex = 1\n").has_value());
}

TEST_F(ConfigFile, WrongTypesAndValuesAreRefused) {
  for (const char* text :
       {"threads = 1.5", "threads = true", "threads = \"\"", "threads = [1]", "quiet = 0",
        "quiet = \"yes\"", "backend = 1", "memory_budget = 16", "log_level = 2020-01-01"}) {
    const auto done = read(text);
    ASSERT_FALSE(done.has_value()) << text;
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidInput) << text;
    EXPECT_NE(done.error().found.find("line 1"), std::string::npos) << text;
  }
}

TEST_F(ConfigFile, TextThatIsNoTomlIsRefused) {
  for (const char* text :
       {"threads 2", "threads = ", "= 1", "threads = 1\nthreads = 2", "\"", "<html>", "\xff\xfe"}) {
    const auto done = read(text);
    ASSERT_FALSE(done.has_value()) << text;
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidInput) << text;
    EXPECT_FALSE(done.error().section.empty()) << text;
  }
}

/// Characters between keys and values that are neither white space nor ASCII.
TEST_F(ConfigFile, LettersWithAccentsBelongIntoStrings) {
  ASSERT_TRUE(read("params = \"/données\" # là\n"));
  EXPECT_EQ(settings_.params, "/données");
  for (const char* text : {"é = 1", "threads é = 1", "threads = é1", "threads = 1 é",
                           "。threads = 1", "\xef\xbb\xbeVlgu", "threads = 1\nﾾ"}) {
    const auto done = read(text);
    ASSERT_FALSE(done.has_value()) << text;
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidInput) << text;
  }
}

TEST_F(ConfigFile, MissingAndHugeFilesAreRefused) {
  EXPECT_EQ(read_config_file(dir_ / "none", settings_).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read(std::string((std::size_t{1} << 20U) + 1, '#')).error().code,
            ErrorCode::kInvalidInput);
}

TEST(Consistency, AVramBudgetNeedsAGpu) {
  Settings settings;
  settings.vram_budget_bytes = 1;
  EXPECT_TRUE(check_consistent(settings).has_value());
  settings.backend = engine::BackendPolicy::kCpu;
  const auto done = check_consistent(settings);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::kInvalidUsage);
}

}  // namespace
}  // namespace belfry::config
