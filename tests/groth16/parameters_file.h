#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "belfry/curve/encoding.h"
#include "belfry/curve/subgroup.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/params.h"
#include "groth16/support.h"
#include "support/whole_error.h"

namespace belfry::groth16::test {

inline constexpr std::string_view kParametersSystem = "rows-252-inputs-4";

/// A good parameter file, and what is refused of its variations.
class ParametersFile : public testing::Test {
 protected:
  /// Opens `bytes` as a `.params` file and, if that succeeds, checks every point.
  Result<void> check(const Bytes& bytes) {
    write_bytes(path_, bytes);
    auto parameters = Parameters::open(path_);
    if (!parameters) return fail(parameters.error());
    return check_points(*parameters, {executor_});
  }
  Error refuse(const Bytes& bytes) {
    const Result<void> outcome = check(bytes);
    if (outcome) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(outcome.error());
    EXPECT_EQ(outcome.error().file, path_.string());
    return outcome.error();
  }

  belfry::test::TempDir dir_;
  std::filesystem::path path_ = dir_.path() / "file.params";
  Executor executor_{2};
  Bytes good_ = belfry::test::read_vector(mini_params(kParametersSystem));
  Parameters parameters_ = open_mini(kParametersSystem);
};

/// The first point of the curve from x = `start` on that is outside the subgroup.
template <class Point>
Point outside_subgroup(std::uint8_t start) {
  for (std::uint8_t x = start;; ++x) {
    std::array<std::uint8_t, curve::kCompressedSize<Point>> bytes{};
    bytes[0] = 0x80;
    bytes.back() = x;
    const auto point = curve::decode_compressed_unchecked<Point>(bytes);
    if (point && !curve::in_subgroup(*point)) return *point;
  }
}

}  // namespace belfry::groth16::test
