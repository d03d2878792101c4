#include <gtest/gtest.h>

#include "belfry/field/sqrt.h"
#include "support/vectors.h"

namespace belfry {
namespace {

TEST(Fr, EqualsTheRecordedValues) {
  const test::JsonFile file("primitives.json");
  std::size_t count = 0;
  for (auto entry : file["fr"].get_array()) {
    const auto value = [&](std::string_view key) {
      return test::fr_from_big_endian(entry[key].value());
    };
    const Fr x = value("x");
    const Fr y = value("y");
    EXPECT_EQ(x * y, value("x*y"));
    EXPECT_EQ(x - y, value("x-y"));
    EXPECT_EQ(x.square(), value("x^2"));
    EXPECT_EQ(x.inverse(), value("1/x"));
    const auto root = field::sqrt(value("x^2"));
    ASSERT_TRUE(root.has_value());
    const Fr recorded = value("sqrt(x^2) or minus");
    EXPECT_TRUE(*root == recorded || *root == -recorded);
    ++count;
  }
  EXPECT_EQ(count, 8U);
}

}  // namespace
}  // namespace belfry
