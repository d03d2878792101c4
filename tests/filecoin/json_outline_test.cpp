#include "belfry/filecoin/formats/json_outline.h"

#include <gtest/gtest.h>

#include <string>

namespace belfry::filecoin {
namespace {

/// An array of `size` bytes.
std::string array_of(std::size_t size) {
  return std::string("[") + std::string(size - 2, ' ') + "]";
}

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kSmallest = std::size_t{1} << 16;

TEST(JsonOutline, TakesOutTheOutermostArraysOfTheRightSize) {
  const std::string large = array_of(kMegabyte);
  const std::string nested = "[" + large + "," + array_of(kSmallest) + "]";
  const std::string text = R"({"a":)" + nested + R"(,"s":"]\"[","b":)" + array_of(kSmallest - 1) +
                           R"(,"c":[)" + array_of(kSmallest) + "]}";
  const JsonOutline outline = make_json_outline(text);
  EXPECT_EQ(outline.text, R"({"a":[],"s":"]\"[","b":)" + array_of(kSmallest - 1) + R"(,"c":[]})");
  ASSERT_EQ(outline.slices.size(), 2U);
  EXPECT_EQ(text.substr(outline.slices[0].begin, outline.slices[0].size), nested);
  EXPECT_EQ(outline.slice_at(5), &outline.slices[0]);
  EXPECT_EQ(outline.slice_at(4), nullptr);
  EXPECT_EQ(outline.slice_at(6), nullptr);
}

TEST(JsonOutline, OffsetsLeadBackToTheText) {
  const std::string text =
      R"({"a":)" + array_of(kMegabyte) + R"(,"b":1,"c":)" + array_of(kSmallest) + R"(,"d":2})";
  const JsonOutline outline = make_json_outline(text);
  EXPECT_EQ(outline.whole_offset(0), 0U);
  EXPECT_EQ(outline.whole_offset(5), 5U);
  for (const char* mark : {"\"b\"", "\"c\"", "\"d\"", "2}"}) {
    EXPECT_EQ(outline.whole_offset(outline.text.find(mark)), text.find(mark)) << mark;
  }
  EXPECT_EQ(outline.whole_offset(outline.text.size()), text.size());
}

TEST(JsonOutline, LeavesOtherTextsWhole) {
  const std::string deep = std::string(65, '[') + array_of(kMegabyte) + std::string(65, ']');
  for (const std::string& text :
       {std::string(), std::string("{}"), array_of(kMegabyte - 1), array_of(kMegabyte) + "]",
        std::string("[") + array_of(kMegabyte), std::string("\"") + array_of(kMegabyte),
        array_of(17 * kMegabyte), deep, std::string("{") + std::string(kMegabyte, ' ') + "}",
        std::string("\\") + std::string(kMegabyte, '"')}) {
    const JsonOutline outline = make_json_outline(text);
    EXPECT_TRUE(outline.slices.empty());
    EXPECT_TRUE(outline.text == text);
    EXPECT_EQ(outline.whole_offset(1), 1U);
  }
}

}  // namespace
}  // namespace belfry::filecoin
