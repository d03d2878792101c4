// The steps of msm::transform_level_async and scale_points_async, worker by worker, against
// multiplication and the definition.
#include "belfry/msm/group_transform_core.h"

#include <gtest/gtest.h>

#include "belfry/curve/multiply.h"
#include "support/random_points.h"
#include "support/vectors.h"

namespace belfry::msm::core {
namespace {

using curve::G1Affine;
using curve::G1Jacobian;

std::vector<Fr> edge_scalars() {
  const Fr seed = Fr::from_u64(curve::kSeedMagnitude);
  const Fr square = seed * seed;
  std::vector<Fr> out{Fr::zero(), Fr::one(), Fr::from_u64(15), Fr::from_u64(16), Fr::from_u64(17)};
  for (const Fr& base : {seed, square, square * seed, Fr::from_u64(2).pow(std::uint64_t{127})}) {
    out.insert(out.end(), {base, base - Fr::one(), base + Fr::one(), -base});
  }
  for (const Fr& random : belfry::test::random_frs(20, 11)) out.push_back(random);
  return out;
}

TEST(SplitScalar, HalvesAndDigitsAddUp) {
  const Fr seed = Fr::from_u64(curve::kSeedMagnitude);
  const Fr two64 = Fr::from_u64(2).pow(std::uint64_t{64});
  for (const Fr& scalar : edge_scalars()) {
    const SplitScalar split = split_scalar(scalar);
    Fr sums[2];
    for (unsigned half = 0; half < 2; ++half) {
      const auto& value = half == 0 ? split.low : split.high;
      for (unsigned w = HalfWindows::kWindows; w-- > 0;) {
        const int digit = half_digit(value, w);
        EXPECT_LE(std::abs(digit), HalfWindows::kMost);
        const Fr magnitude = Fr::from_u64(static_cast<unsigned>(std::abs(digit)));
        sums[half] = sums[half] * Fr::from_u64(1U << HalfWindows::kBits) +
                     (digit < 0 ? -magnitude : magnitude);
      }
      EXPECT_EQ(sums[half], Fr::from_u64(value[1]) * two64 + Fr::from_u64(value[0]));
    }
    EXPECT_EQ(sums[0] + sums[1] * seed * seed, scalar);
  }
}

TEST(SplitScalar, MultipliesAsTheCurveDoes) {
  const auto points = belfry::test::random_points<curve::G1>(3, 1);
  for (const Fr& scalar : edge_scalars()) {
    EXPECT_EQ(multiply_split(points[0], scalar), curve::multiply(points[0], scalar));
  }
  EXPECT_TRUE(multiply_split(G1Affine::infinity(), Fr::from_u64(5)).is_infinity());
}

/// Σ_k root^(j·k)·Q_k by definition.
std::vector<G1Jacobian> slow_transform(const std::vector<G1Affine>& points, const Fr& root) {
  std::vector<G1Jacobian> out;
  for (std::size_t j = 0; j < points.size(); ++j) {
    auto sum = G1Jacobian::infinity();
    for (std::size_t k = 0; k < points.size(); ++k) {
      sum += curve::multiply(points[k], root.pow(std::uint64_t{j * k}));
    }
    out.push_back(sum);
  }
  return out;
}

TEST(GroupTransform, EqualsTheDefinitionInReversedOrder) {
  for (const unsigned log_size : {0U, 1U, 2U, 5U}) {
    auto points = belfry::test::random_points<curve::G1>(std::size_t{1} << log_size, log_size + 1);
    points.back() = G1Affine::infinity();
    if (log_size == 5) points[3] = points[19] = points[7];  // equal ones, and opposite ones
    if (log_size == 5) points[11] = -points[27];
    Fr root{field::FrParams::kRootOfUnity};
    for (unsigned i = log_size; i < 32; ++i) root = root.square();
    root = root.inverse();
    const auto expected = slow_transform(points, root);
    for (unsigned depth = 0; depth < log_size; ++depth) {
      const GroupLevel level{log_size, depth, root.pow(std::uint64_t{1} << (log_size - depth - 1))};
      for (std::uint64_t worker = 0; worker < points.size() / 2; ++worker) {
        G1Affine& low = points[level.low(worker)];
        G1Affine& high = points[level.low(worker) + level.half()];
        const PointPairSums sums = group_butterfly(worker, level, low, high);
        ASSERT_FALSE(sums.denominator().is_zero());
        sums.finish(sums.denominator().inverse(), low, high);
      }
    }
    for (std::size_t p = 0; p < points.size(); ++p) {
      std::size_t j = 0;
      for (unsigned bit = 0; bit < log_size; ++bit) j |= ((p >> bit) & 1) << (log_size - 1 - bit);
      EXPECT_EQ(G1Jacobian::from_affine(points[p]), expected[j]) << log_size << " " << p;
    }
  }
}

TEST(GroupTransform, ScalesByALine) {
  const PointScale scale{Fr::from_u64(7), Fr::from_u64(3)};
  EXPECT_EQ(scale.of(0), Fr::from_u64(7));
  EXPECT_EQ(scale.of(5), Fr::from_u64(22));
}

}  // namespace
}  // namespace belfry::msm::core
