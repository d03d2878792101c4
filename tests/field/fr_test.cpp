#include "belfry/field/fr.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/vectors.h"

namespace belfry {
namespace {

// Formats.md 1.1: acceptance examples, bytes low to high.
TEST(FrBytes, AcceptsExactlyTheCanonicalIntegers) {
  const auto last_two = [](std::uint8_t a, std::uint8_t b) {
    Bytes32 bytes;
    bytes.fill(0xff);
    bytes[30] = a;
    bytes[31] = b;
    return FrBytes::parse(bytes).has_value();
  };
  EXPECT_TRUE(last_two(0xff, 0x72));
  EXPECT_TRUE(last_two(0xec, 0x73));
  EXPECT_FALSE(last_two(0xed, 0x73));
  EXPECT_FALSE(last_two(0xff, 0x73));
  EXPECT_FALSE(last_two(0xff, 0xff));
}

TEST(FrBytes, RoundTrips) {
  for (const Fr& x : test::random_frs(100, 1)) EXPECT_EQ(FrBytes(x).to_fr(), x);
}

TEST(Fr, RingLawsOnRandomElements) {
  const auto x = test::random_frs(64, 2);
  for (std::size_t i = 0; i + 2 < x.size(); ++i) {
    const Fr a = x[i];
    const Fr b = x[i + 1];
    const Fr c = x[i + 2];
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ((a - b) + b, a);
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ(a * a.inverse(), Fr::one());
    EXPECT_EQ(a + (-a), Fr::zero());
  }
  EXPECT_EQ(-Fr::zero(), Fr::zero());
  EXPECT_EQ(Fr::zero().inverse(), Fr::zero());
}

}  // namespace
}  // namespace belfry
