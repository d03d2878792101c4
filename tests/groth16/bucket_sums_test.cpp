#include "belfry/groth16/params/bucket_sums.h"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "support/kernel_isas.h"
#include "support/random_points.h"

namespace belfry::groth16 {
namespace {

template <class C>
class BucketSumsOf : public testing::Test {
 protected:
  using Affine = typename C::Affine;
  using Jacobian = typename C::Jacobian;
  using Sums = BucketSums<C>;
  static constexpr std::size_t kMost = 300;

  static void add(Sums& sums, const msm::PointKernels<C>& kernels, std::span<const Affine> points,
                  std::span<const std::uint64_t> choices) {
    msm::StoredPoints<C> stored(kernels, points.size());
    kernels.store(points.data(), points.size(), stored.at(0));
    sums.add(choices, stored);
  }
  /// The sum of one bucket, point by point.
  static Jacobian slow_sum(std::span<const Affine> points, std::span<const std::uint64_t> choices,
                           std::size_t round, std::size_t bucket) {
    Jacobian sum;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (Sums::bucket(choices[i], round) == bucket) sum += points[i];
    }
    return sum;
  }
  static void expect_sums(const Sums& sums, std::span<const Affine> points,
                          std::span<const std::uint64_t> choices, Isa isa) {
    for (std::size_t round = 0; round < Sums::kRounds; ++round) {
      for (std::size_t k = 0; k < Sums::kBuckets; ++k) {
        ASSERT_EQ(Jacobian::from_affine(sums.sum(round, k)), slow_sum(points, choices, round, k))
            << to_string(isa) << " round " << round << " bucket " << k;
      }
    }
  }
};

using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(BucketSumsOf, Curves);

/// Random buckets, a bucket that gets everything (equal and opposite points meet there), several
/// calls, and the sums of another object: as point by point, on every kernel.
TYPED_TEST(BucketSumsOf, AreThoseOfOneByOne) {
  constexpr std::size_t kPoints = 450;
  auto points = belfry::test::random_points<TypeParam>(kPoints, 1);
  points[7] = points[6];
  points[9] = -points[8];
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> choices(kPoints);
  for (std::uint64_t& choice : choices) choice = random() & ~std::uint64_t{0xff};
  const std::span all(points);
  const std::span chosen(choices);
  for (const Isa isa : belfry::test::kernel_isas()) {
    const auto& kernels = msm::point_kernels<TypeParam>(isa);
    BucketSums<TypeParam> sums(kernels, TestFixture::kMost);
    BucketSums<TypeParam> other(kernels, TestFixture::kMost);
    TestFixture::add(sums, kernels, all.first(TestFixture::kMost),
                     chosen.first(TestFixture::kMost));
    TestFixture::add(sums, kernels, all.subspan(TestFixture::kMost, 1),
                     chosen.subspan(TestFixture::kMost, 1));
    TestFixture::add(other, kernels, all.subspan(TestFixture::kMost + 1),
                     chosen.subspan(TestFixture::kMost + 1));
    sums.merge(other);
    TestFixture::expect_sums(sums, all, chosen, isa);
  }
}

TYPED_TEST(BucketSumsOf, AreInfinityAtFirst) {
  for (const Isa isa : belfry::test::kernel_isas()) {
    const BucketSums<TypeParam> sums(msm::point_kernels<TypeParam>(isa), 1);
    EXPECT_TRUE(sums.sum(0, 0).is_infinity());
    EXPECT_TRUE(sums.sum(BucketSums<TypeParam>::kRounds - 1, BucketSums<TypeParam>::kBuckets - 1)
                    .is_infinity());
  }
}

}  // namespace
}  // namespace belfry::groth16
