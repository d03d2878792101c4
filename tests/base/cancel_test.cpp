#include "belfry/base/cancel.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

TEST(CancelToken, MadeByItselfNeverStops) {
  const CancelToken token;
  EXPECT_FALSE(token.cancelled());
  EXPECT_TRUE(token.check("test.stage").has_value());
}

TEST(CancelToken, EveryCopyLearnsOfTheStop) {
  CancelSource source;
  const CancelToken before = source.token();
  EXPECT_TRUE(before.check("test.stage").has_value());
  source.cancel();
  const CancelToken after = source.token();
  for (const CancelToken& token : {before, after}) {
    const auto stopped = token.check("test.stage");
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(stopped.error().stage, "test.stage");
  }
}

TEST(CancelToken, OutlivesItsSource) {
  CancelToken token;
  {
    CancelSource source;
    token = source.token();
    source.cancel();
  }
  EXPECT_TRUE(token.cancelled());
}

}  // namespace
}  // namespace belfry
