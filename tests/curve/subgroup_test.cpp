#include "belfry/curve/subgroup.h"

#include <gtest/gtest.h>

#include <random>

#include "belfry/curve/multiply.h"
#include "support/points.h"

namespace belfry::curve {
namespace {

template <class Curve>
bool has_order_r(const Affine<Curve>& p) {
  return multiply(Jacobian<Curve>::from_affine(p),
                  std::span<const std::uint64_t>(field::FrParams::kModulus))
      .is_infinity();
}

template <class Curve>
class Subgroup : public testing::Test {};
using Curves = testing::Types<G1, G2>;
TYPED_TEST_SUITE(Subgroup, Curves);

TYPED_TEST(Subgroup, AgreesWithMultiplicationByR) {
  std::mt19937_64 rng(31);
  const auto g = Affine<TypeParam>::generator();
  for (int i = 0; i < 30; ++i) {
    const auto inside = multiply(g, test::random_fr(rng)).to_affine();
    EXPECT_TRUE(has_order_r(inside));
    EXPECT_TRUE(in_subgroup(inside));

    const auto anywhere = test::random_curve_point<TypeParam>(rng);
    EXPECT_EQ(in_subgroup(anywhere), has_order_r(anywhere));

    // [r]P has an order that divides the cofactor: nothing of it lies in the subgroup, alone or
    // added to a point that does.
    const auto torsion = multiply(Jacobian<TypeParam>::from_affine(anywhere),
                                  std::span<const std::uint64_t>(field::FrParams::kModulus));
    ASSERT_FALSE(torsion.is_infinity());
    EXPECT_FALSE(in_subgroup(torsion.to_affine()));
    EXPECT_FALSE(in_subgroup((torsion + inside).to_affine()));
  }
  EXPECT_TRUE(in_subgroup(Affine<TypeParam>::infinity()));
  EXPECT_TRUE(in_subgroup(g));
}

// The cofactor of G1 is 3·11²·10177²·859267²·52437899², that of G2 starts 13²·23²·2713: points of
// the small orders are what a cheaper test would most likely let through.
TEST(SubgroupMaps, RefusesPointsOfSmallOrder) {
  const G1Affine order_three{Fp::zero(), Fp::from_u64(2)};
  ASSERT_TRUE(order_three.is_on_curve());
  ASSERT_TRUE(multiply(order_three, std::uint64_t{3}).is_infinity());
  EXPECT_FALSE(in_subgroup(order_three));
  EXPECT_FALSE(in_subgroup(-order_three));

  std::mt19937_64 rng(32);
  const auto cleared = [](G1Jacobian p, std::initializer_list<std::uint64_t> factors) {
    for (const std::uint64_t factor : factors) p = multiply(p, std::span(&factor, 1));
    return p;
  };
  const auto order_r_removed = [&] {
    return multiply(G1Jacobian::from_affine(test::random_curve_point<G1>(rng)),
                    std::span<const std::uint64_t>(field::FrParams::kModulus));
  };
  // [r·3·10177²·859267²·52437899²]P leaves order 11 or 121, and so on.
  int found = 0;
  for (int i = 0; i < 4; ++i) {
    for (const auto& point :
         {cleared(order_r_removed(), {3, 10177, 10177, 859267, 859267, 52437899, 52437899}),
          cleared(order_r_removed(), {3, 11, 11, 859267, 859267, 52437899, 52437899}),
          cleared(order_r_removed(), {3, 11, 11, 10177, 10177, 52437899, 52437899}),
          cleared(order_r_removed(), {3, 11, 11, 10177, 10177, 859267, 859267})}) {
      if (point.is_infinity()) continue;
      ++found;
      EXPECT_FALSE(in_subgroup(point.to_affine()));
    }
  }
  EXPECT_GT(found, 8);
}

TEST(SubgroupMaps, MapsActAsTheirEigenvalues) {
  std::mt19937_64 rng(33);
  constexpr std::uint64_t kZ = 0xd201000000010000U;  // |z|
  const Fr z = -Fr::from_u64(kZ);
  const Fr k = test::random_fr(rng);
  const G1Affine p = multiply(G1Affine::generator(), k).to_affine();
  EXPECT_EQ(endomorphism(p), multiply(p, -(z * z)).to_affine());
  const G2Affine q = multiply(G2Affine::generator(), k).to_affine();
  EXPECT_EQ(psi(q), multiply(q, z).to_affine());
  EXPECT_TRUE(psi(test::random_curve_point<G2>(rng)).is_on_curve());
}

}  // namespace
}  // namespace belfry::curve
