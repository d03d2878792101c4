#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "belfry/base/error.h"

namespace belfry::test {

/// What every parser owes to whoever sent the bytes: kInvalidInput with file, section, offset,
/// expected and found.
inline void expect_whole_error(const Error& error, std::string_view context = {}) {
  const std::string what = std::string(context) + ": " + error.describe();
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput) << what;
  EXPECT_FALSE(error.message.empty()) << what;
  EXPECT_FALSE(error.file.empty()) << what;
  EXPECT_FALSE(error.section.empty()) << what;
  EXPECT_TRUE(error.offset.has_value()) << what;
  EXPECT_FALSE(error.expected.empty()) << what;
  EXPECT_FALSE(error.found.empty()) << what;
}

}  // namespace belfry::test
