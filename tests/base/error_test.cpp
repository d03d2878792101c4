#include "belfry/base/error.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace belfry {
namespace {

Result<std::unique_ptr<int>> boxed(int value) {
  if (value < 0) return fail(ErrorCode::kInvalidUsage, "test.boxed", "the value is negative");
  return std::make_unique<int>(value);
}
Result<void> even(int value) {
  if (value % 2 != 0) return fail(invalid("test.even", "the value is odd"));
  return {};
}
Result<int> half(int value) {
  BELFRY_TRY(const auto box, boxed(value));
  BELFRY_CHECK(even(*box));
  return *box / 2;
}

TEST(Result, MacrosHandValuesOnAndErrorsUp) {
  EXPECT_EQ(half(8).value(), 4);
  EXPECT_EQ(half(-2).error().stage, "test.boxed");
  EXPECT_EQ(half(-2).error().code, ErrorCode::kInvalidUsage);
  EXPECT_EQ(half(7).error().stage, "test.even");
  EXPECT_EQ(half(7).error().code, ErrorCode::kInvalidInput);
}

TEST(Error, DescribesWhatIsSet) {
  const Error full = invalid("room.step", "the count is too large")
                         .in_file("a.params")
                         .in_section("h")
                         .at(12)
                         .but("at most 3", "4")
                         .with_hint("Copy the file again");
  EXPECT_EQ(full.describe(),
            "the count is too large in a.params, section h, offset 12: expected at most 3, found 4 "
            "[room.step]. Copy the file again.");
  EXPECT_EQ(invalid("room.step", "bad").describe(), "bad [room.step].");
  Error found_only = invalid("room.step", "bad");
  found_only.found = "4";
  EXPECT_EQ(found_only.describe(), "bad: found 4 [room.step].");
}

TEST(Error, CodesHaveDistinctNames) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    names.insert(to_string(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::kInternal) + 1);
}

}  // namespace
}  // namespace belfry
