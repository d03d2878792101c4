#include "belfry/gpu/arena.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace belfry::gpu {
namespace {

TEST(Arena, AlignsAndGivesBackInScopes) {
  Arena arena = Arena::for_plan(4096);
  const auto first = arena.take<std::uint8_t>(1, "first");
  ASSERT_TRUE(first);
  EXPECT_EQ(arena.used_bytes(), 256U);
  {
    const Arena::Scope scope(arena);
    const auto second = arena.take<std::uint64_t>(33, "second");
    ASSERT_TRUE(second);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second->data()), 256U);
    EXPECT_EQ(second->size(), 33U);
    EXPECT_EQ(arena.used_bytes(), 256U + 512U);
  }
  EXPECT_EQ(arena.used_bytes(), 256U);
  EXPECT_EQ(arena.peak_bytes(), 768U);
}

TEST(Arena, RefusesWhatDoesNotFit) {
  Arena arena = Arena::for_plan(1024);
  ASSERT_TRUE(arena.take<std::uint8_t>(512, "half"));
  ASSERT_TRUE(arena.take<std::uint8_t>(512, "other half"));
  const auto more = arena.take<std::uint8_t>(1, "slots");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(more.error().expected, "at most 1024 bytes");
  EXPECT_EQ(more.error().found, "1280 bytes");
  EXPECT_EQ(arena.used_bytes(), 1024U);
}

// A count whose bytes would wrap must not look small.
TEST(Arena, RefusesCountsThatOverflow) {
  Arena arena = Arena::for_plan(1024);
  EXPECT_FALSE(arena.take<std::uint64_t>(~std::uint64_t{0} / 4, "overflow"));
  EXPECT_FALSE(Arena::unlimited().take<std::uint64_t>(~std::uint64_t{0} / 8, "overflow"));
}

TEST(Arena, NothingIsAFittingRequest) {
  Arena arena = Arena::for_plan(0);
  const auto none = arena.take<std::uint32_t>(0, "nothing");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 0U);
}

}  // namespace
}  // namespace belfry::gpu
