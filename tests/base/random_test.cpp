#include "belfry/base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace belfry {
namespace {

TEST(Random, FillsEveryByteAndNeverRepeats) {
  std::array<std::uint8_t, 32> first{};
  std::array<std::uint8_t, 32> second{};
  ASSERT_TRUE(fill_random(first).has_value());
  ASSERT_TRUE(fill_random(second).has_value());
  EXPECT_NE(first, second);
  EXPECT_TRUE(fill_random({}).has_value());
}

TEST(Random, LongRequestsAreFilledToTheEnd) {
  // The kernel serves at most 2^25 - 1 bytes a call and may stop earlier on a signal.
  constexpr std::size_t kSize = (std::size_t{1} << 25U) + 100;
  std::vector<std::uint8_t> bytes(kSize);
  ASSERT_TRUE(fill_random(bytes).has_value());
  EXPECT_TRUE(std::any_of(bytes.end() - 64, bytes.end(), [](std::uint8_t b) { return b != 0; }));
  std::uint64_t ones = 0;
  for (const std::uint8_t byte : bytes) ones += static_cast<std::uint64_t>(std::popcount(byte));
  // Half of 2^28 bits, standard deviation 2^13; 32 deviations never happen.
  const auto half = static_cast<double>(kSize * 4);
  EXPECT_NEAR(static_cast<double>(ones), half, 32.0 * 8192.0);
}

}  // namespace
}  // namespace belfry
