#include "belfry/config/size.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace belfry::config {
namespace {

TEST(Size, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(parse_size("0B").value(), 0U);
  EXPECT_EQ(parse_size("17B").value(), 17U);
  EXPECT_EQ(parse_size("2KiB").value(), 2048U);
  EXPECT_EQ(parse_size("512MiB").value(), 536870912U);
  EXPECT_EQ(parse_size("16GiB").value(), 17179869184U);
  EXPECT_EQ(parse_size("2TiB").value(), 2199023255552U);
}

TEST(Size, RefusesEverythingElse) {
  for (const char* text : {"",       "GiB",
                           "16",     "16GB",
                           "16gib",  "16 GiB",
                           "-1GiB",  "+1GiB",
                           "1.5GiB", "16GiB ",
                           "0x10B",  "99999999999999999999B",
                           "007GiB", "00B",
                           "01B",    "1e9B",
                           " 1GiB",  "\t1GiB",
                           "1 B",    "1,000B",
                           "1'000B", "B",
                           "0x1GiB", "\xd9\xa1GiB",
                           "inf",    "18446744073709551616B"}) {
    const auto size = parse_size(text);
    ASSERT_FALSE(size.has_value()) << text;
    EXPECT_EQ(size.error().code, ErrorCode::kInvalidUsage) << text;
    EXPECT_EQ(size.error().found, text);
    EXPECT_FALSE(size.error().expected.empty()) << text;
  }
}

TEST(Size, SaysWhatIsTooLarge) {
  EXPECT_EQ(parse_size("9000000TiB").error().expected, "at most 8388607TiB");
  EXPECT_EQ(parse_size("99999999999999999999B").error().expected, "at most 9223372036854775807B");
}

TEST(Size, StopsAtTheLargestFileSize) {
  EXPECT_EQ(parse_size("8388607TiB").value(), std::uint64_t{8388607} << 40U);
  EXPECT_FALSE(parse_size("8388608TiB").has_value());
  EXPECT_EQ(parse_size("9223372036854775807B").value(), std::uint64_t{9223372036854775807U});
  EXPECT_FALSE(parse_size("9223372036854775808B").has_value());
}

TEST(Size, WritesWhatItReads) {
  for (const char* text : {"0B", "17B", "2KiB", "1536MiB", "16GiB", "3TiB"}) {
    EXPECT_EQ(format_size(parse_size(text).value()), text);
  }
  EXPECT_EQ(format_size(1024 + 512), "1536B");
}

TEST(Size, ForPeopleIsRounded) {
  EXPECT_EQ(approximate_size(17), "17 B");
  EXPECT_EQ(approximate_size(1536), "1.50 KiB");
  EXPECT_EQ(approximate_size(std::uint64_t{3} << 29U), "1.50 GiB");
}

}  // namespace
}  // namespace belfry::config
