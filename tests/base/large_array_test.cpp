#include "belfry/base/large_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace belfry {
namespace {

using Numbers = LargeArray<std::uint64_t>;

TEST(LargeArray, BeginsWithZeros) {
  for (const std::size_t size : {0u, 1u, 511u, 512u, 513u, 1u << 20}) {
    const auto array = Numbers::create(size);
    ASSERT_TRUE(array);
    EXPECT_EQ(array->size(), size);
    EXPECT_TRUE(std::all_of(array->span().begin(), array->span().end(),
                            [](std::uint64_t x) { return x == 0; }));
  }
}

TEST(LargeArray, MovesItsMemory) {
  Numbers first = *Numbers::create(1000);
  first[999] = 7;
  const std::uint64_t* data = first.data();
  Numbers second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second[999], 7u);
  Numbers third;
  third = std::move(second);
  EXPECT_EQ(third.span().back(), 7u);
}

TEST(LargeArray, ImpossibleSizesAreRefused) {
  const auto pages = LargePages::allocate(std::numeric_limits<std::size_t>::max() / 2);
  ASSERT_FALSE(pages);
  EXPECT_EQ(pages.error().code, ErrorCode::kResourceExhausted);
}

}  // namespace
}  // namespace belfry
