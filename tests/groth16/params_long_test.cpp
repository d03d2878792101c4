// Sections so long that their points are tested by sums.
#include <array>
#include <utility>

#include "belfry/groth16/params/writer.h"
#include "groth16/parameters_file.h"

namespace belfry::groth16 {
namespace {

using test::Bytes;
using test::outside_subgroup;
using test::ParametersFile;

template <class Point>
void append_point(Bytes& out, const Point& point) {
  const auto bytes = curve::encode(point);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// A file whose h, b_g1 and b_g2 are so long that they are tested by bucket sums, in several
/// strips. Points of them can be replaced before it is checked.
class LongParametersFile : public ParametersFile {
 protected:
  static constexpr std::size_t kLong = 8191;

  LongParametersFile() {
    const VerifyingKey& key = parameters_.verifying_key();
    for (std::size_t i = 0; i < kLong; ++i) {
      append_point(g1_, i % 2 == 0 ? key.alpha_g1 : key.beta_g1);
      append_point(g2_, i % 2 == 0 ? key.gamma_g2 : key.beta_g2);
    }
    for (const auto& point : key.ic) append_point(a_, point);
    h_ = g1_;
  }

  template <std::size_t Size>
  static void replace(Bytes& section, std::size_t index,
                      const std::array<std::uint8_t, Size>& point) {
    std::copy(point.begin(), point.end(),
              section.begin() + static_cast<std::ptrdiff_t>(index * Size));
  }
  /// Not on the curve: a bit of y flipped.
  static void spoil(Bytes& section, std::size_t index, std::size_t point_bytes) {
    section[(index + 1) * point_bytes - 1] ^= 1;
  }

  Result<void> check_long() {
    write();
    return check_points(test::value_of(Parameters::open(path_)), {executor_});
  }
  /// Section, offset and what was found; the file must be refused.
  void expect_refused(std::string_view section, Section which, std::size_t index,
                      std::string_view found) {
    const Result<void> outcome = check_long();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().section, std::string(section) + "[" + std::to_string(index) + "]");
    const Parameters parameters = test::value_of(Parameters::open(path_));
    const SectionLayout& layout = parameters.layout(which);
    EXPECT_EQ(outcome.error().offset, layout.points_offset() + index * layout.point_bytes);
    EXPECT_NE(outcome.error().found.find(found), std::string::npos) << outcome.error().found;
  }

  Bytes h_;
  Bytes g1_;
  Bytes g2_;

 private:
  void write() {
    auto writer = test::value_of(ParametersWriter::create(path_, parameters_.verifying_key()));
    const std::array<std::pair<std::uint64_t, ByteSpan>, kSections> sections{
        {{kLong, h_},
         {0, {}},
         {parameters_.verifying_key().ic.size(), a_},
         {kLong, g1_},
         {kLong, g2_}}};
    for (const auto& [count, points] : sections) {
      ASSERT_TRUE(writer.begin_section(count));
      ASSERT_TRUE(writer.append(points, executor_));
      ASSERT_TRUE(writer.end_section());
    }
    ASSERT_TRUE(writer.finish());
    ASSERT_TRUE(writer.commit());
  }

  Bytes a_;
};

TEST_F(LongParametersFile, IsGood) { EXPECT_TRUE(check_long()); }

TEST_F(LongParametersFile, APointOutsideTheSubgroupIsFound) {
  replace(h_, 5000, curve::encode(outside_subgroup<curve::G1Affine>(1)));
  expect_refused("h", Section::kH, 5000, "subgroup");
  h_ = g1_;
  replace(g2_, kLong - 1, curve::encode(outside_subgroup<curve::G2Affine>(1)));
  expect_refused("b_g2", Section::kBG2, kLong - 1, "subgroup");
}

/// Two bad points whose sum is good: only sums over random parts tell. The first of them is named.
TEST_F(LongParametersFile, PointsThatCancelAreFound) {
  const curve::G1Affine bad = outside_subgroup<curve::G1Affine>(1);
  replace(h_, 4097, curve::encode(bad));
  replace(h_, kLong - 1, curve::encode(-bad));
  expect_refused("h", Section::kH, 4097, "subgroup");
}

/// Points with x = 0 have order three; the vector kernels refuse them like points off the curve.
TEST_F(LongParametersFile, APointWithoutXIsFound) {
  replace(h_, 4096, curve::encode(curve::G1Affine{Fp{}, Fp::one() + Fp::one()}));
  expect_refused("h", Section::kH, 4096, "subgroup");
}

TEST_F(LongParametersFile, TheFirstPointOffTheCurveIsFound) {
  spoil(h_, 8000, 96);
  spoil(h_, 4095, 96);
  spoil(h_, 4094, 96);
  expect_refused("h", Section::kH, 4094, curve::describe(curve::PointFault::kNotOnCurve));
  h_ = g1_;
  spoil(g2_, 4096, 192);
  expect_refused("b_g2", Section::kBG2, 4096, curve::describe(curve::PointFault::kNotOnCurve));
}

TEST_F(LongParametersFile, InfinityIsFound) {
  replace(h_, 8190, curve::encode(curve::G1Affine::infinity()));
  expect_refused("h", Section::kH, 8190, "infinity");
  // The second coordinate of its encoding is not zero: not even infinity.
  h_[8190 * 96 + 95] = 1;
  const Result<void> outcome = check_long();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().section, "h[8190]");
  EXPECT_EQ(outcome.error().message, "not a point of the group");
}

}  // namespace
}  // namespace belfry::groth16
