// The steps of msm::DeviceFixedBase, worker by worker, with integers in place of points.
#include "belfry/msm/fixed_base_core.h"

#include <gtest/gtest.h>

#include "support/vectors.h"

namespace belfry::msm::core {
namespace {

/// What stands at a place of the table, as a multiple of the base.
Fr multiple_at(const FixedBaseLayout& layout, std::uint32_t place) {
  if (place == 0) return Fr::zero();
  const unsigned window = (place - 1) / layout.each_window();
  const std::uint32_t digit = (place - 1) % layout.each_window() + 1;
  return Fr::from_u64(digit) *
         Fr::from_u64(2).pow(std::uint64_t{layout.digits.window_bits} * window);
}

Fr run(const Fr& scalar, std::uint32_t i) {
  const auto layout = FixedBaseLayout::usual();
  Fr sum = Fr::zero();
  const auto value = [&](std::uint32_t index) {
    const std::uint32_t place = index & ~kNegative;
    EXPECT_LE(place, layout.sums() + i);
    const Fr found = place < layout.sums() ? multiple_at(layout, place) : sum;
    return (index & kNegative) != 0 ? -found : found;
  };
  for (unsigned step = 1; step < layout.digits.windows; ++step) {
    const PointPair pair = fixed_base_pair(i, step, scalar, layout);
    EXPECT_EQ(pair.first == layout.sums() + i, step > 1);
    sum = value(pair.first) + value(pair.second);
  }
  return sum;
}

TEST(FixedBaseSteps, AddUpToTheScalar) {
  for (const Fr& scalar : belfry::test::random_frs(50, 5)) EXPECT_EQ(run(scalar, 7), scalar);
  for (const std::uint64_t small : {0u, 1u, 2u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu, 0x10000u}) {
    EXPECT_EQ(run(Fr::from_u64(small), 0), Fr::from_u64(small));
    EXPECT_EQ(run(-Fr::from_u64(small), 3), -Fr::from_u64(small));
  }
}

}  // namespace
}  // namespace belfry::msm::core
