#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "belfry/curve/batch.h"
#include "belfry/curve/multiply.h"
#include "support/points.h"

namespace belfry::curve {
namespace {

constexpr std::array<std::uint64_t, 4> kOrder = field::FrParams::kModulus;

template <class Curve>
class Group : public testing::Test {
 protected:
  using Field = typename Curve::Field;
  using AffineT = Affine<Curve>;
  using JacobianT = Jacobian<Curve>;
  using XyzzT = Xyzz<Curve>;

  std::mt19937_64 rng_{21};

  AffineT random_point() { return test::random_curve_point<Curve>(rng_); }
  /// The same point with a random denominator.
  JacobianT jacobian(const AffineT& p) {
    const Field z = test::random_element<Field>(rng_);
    if (p.is_infinity()) return {z, z.square(), Field::zero()};
    return {p.x * z.square(), p.y * z.square() * z, z};
  }
  XyzzT xyzz(const AffineT& p) {
    const JacobianT q = jacobian(p);
    return {q.x, q.y, q.z.square(), q.z.square() * q.z};
  }
  /// Pairs that reach every branch of an addition.
  std::vector<std::array<AffineT, 2>> pairs() {
    const AffineT p = random_point();
    const AffineT q = random_point();
    const AffineT o = AffineT::infinity();
    return {{p, q}, {q, p}, {p, p}, {p, -p}, {-p, p}, {p, o}, {o, p}, {o, o}, {q, q}, {-q, q}};
  }
};
using Curves = testing::Types<G1, G2>;
TYPED_TEST_SUITE(Group, Curves);

TYPED_TEST(Group, AdditionsAgreeWithChordAndTangent) {
  for (const auto& [p, q] : this->pairs()) {
    const auto expected = test::to_slow(p) + test::to_slow(q);
    const auto expected_difference = test::to_slow(p) + -test::to_slow(q);
    const auto pj = this->jacobian(p);
    const auto qj = this->jacobian(q);
    EXPECT_EQ(test::to_slow((pj + qj).to_affine()), expected);
    EXPECT_EQ(test::to_slow((pj + q).to_affine()), expected);
    EXPECT_EQ(test::to_slow((pj - qj).to_affine()), expected_difference);
    EXPECT_EQ(test::to_slow((pj - q).to_affine()), expected_difference);
    const auto px = this->xyzz(p);
    const auto qx = this->xyzz(q);
    EXPECT_EQ(test::to_slow((px + qx).to_affine()), expected);
    EXPECT_EQ(test::to_slow((px + q).to_affine()), expected);
    EXPECT_EQ(test::to_slow((px - qx).to_affine()), expected_difference);
    EXPECT_EQ(test::to_slow((px - q).to_affine()), expected_difference);
    EXPECT_EQ(test::to_slow((px + qx).to_jacobian().to_affine()), expected);
  }
}

TYPED_TEST(Group, DoublingAndNegationAgreeWithChordAndTangent) {
  for (const auto& p :
       {this->random_point(), Affine<TypeParam>::infinity(), Affine<TypeParam>::generator()}) {
    const auto slow = test::to_slow(p);
    EXPECT_EQ(test::to_slow(this->jacobian(p).doubled().to_affine()), slow + slow);
    EXPECT_EQ(test::to_slow(this->xyzz(p).doubled().to_affine()), slow + slow);
    EXPECT_EQ(test::to_slow((-this->jacobian(p)).to_affine()), -slow);
    EXPECT_EQ(test::to_slow((-this->xyzz(p)).to_affine()), -slow);
    EXPECT_EQ(test::to_slow(-p), -slow);
  }
}

TYPED_TEST(Group, EqualityIsOfPoints) {
  for (const auto& [p, q] : this->pairs()) {
    EXPECT_EQ(this->jacobian(p) == this->jacobian(q), p == q);
    EXPECT_EQ(this->xyzz(p) == this->xyzz(q), p == q);
    EXPECT_EQ(this->jacobian(p), Jacobian<TypeParam>::from_affine(p));
    EXPECT_EQ(this->xyzz(p), Xyzz<TypeParam>::from_affine(p));
    EXPECT_EQ(Xyzz<TypeParam>::from_jacobian(this->jacobian(p)), this->xyzz(p));
    EXPECT_TRUE(p.is_on_curve());
  }
}

TYPED_TEST(Group, PointsOffTheCurveAreSeen) {
  auto p = this->random_point();
  p.y = p.y + TypeParam::Field::one();
  EXPECT_FALSE(p.is_on_curve());
  EXPECT_FALSE(
      (Affine<TypeParam>{TypeParam::Field::zero(), TypeParam::Field::one()}.is_on_curve()));
}

TYPED_TEST(Group, AdditionIsAssociative) {
  for (int i = 0; i < 20; ++i) {
    const auto p = this->jacobian(this->random_point());
    const auto q = this->jacobian(this->random_point());
    const auto r = this->random_point();
    EXPECT_EQ((p + q) + r, p + (q + r));
    EXPECT_EQ(p + q, q + p);
  }
}

TYPED_TEST(Group, MultiplesOfSmallIntegersAreSums) {
  const auto p = this->random_point();
  auto sum = Jacobian<TypeParam>::infinity();
  for (std::uint64_t k = 0; k < 70; ++k, sum += p) {
    EXPECT_EQ(multiply(p, k), sum);
    EXPECT_EQ(multiply(p, Fr::from_u64(k)), sum);
  }
  EXPECT_TRUE(multiply(Affine<TypeParam>::infinity(), Fr::from_u64(5)).is_infinity());
  EXPECT_TRUE(multiply(this->jacobian(p), std::span<const std::uint64_t>{}).is_infinity());
}

TYPED_TEST(Group, TheGeneratorHasOrderR) {
  const auto g = Affine<TypeParam>::generator();
  EXPECT_TRUE(g.is_on_curve());
  const auto gj = Jacobian<TypeParam>::from_affine(g);
  EXPECT_TRUE(multiply(gj, std::span<const std::uint64_t>(kOrder)).is_infinity());
  EXPECT_EQ(multiply(g, -Fr::one()), -gj);
  for (int i = 0; i < 5; ++i) {
    const Fr a = test::random_fr(this->rng_);
    const Fr b = test::random_fr(this->rng_);
    EXPECT_EQ(multiply(g, a) + multiply(g, b), multiply(g, a + b));
    EXPECT_EQ(multiply(multiply(g, a), b), multiply(g, a * b));
  }
}

TYPED_TEST(Group, BatchNormalisationKeepsInfinity) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 17U}) {
    std::vector<Affine<TypeParam>> points(n);
    std::vector<Jacobian<TypeParam>> jacobians(n);
    std::vector<Xyzz<TypeParam>> xyzzs(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 4 != 1) points[i] = this->random_point();
      jacobians[i] = this->jacobian(points[i]);
      xyzzs[i] = this->xyzz(points[i]);
    }
    std::vector<Affine<TypeParam>> out(n);
    batch_to_affine<TypeParam>(std::span<const Jacobian<TypeParam>>(jacobians), out);
    EXPECT_EQ(out, points);
    std::ranges::fill(out, Affine<TypeParam>{});
    batch_to_affine<TypeParam>(std::span<const Xyzz<TypeParam>>(xyzzs), out);
    EXPECT_EQ(out, points);
  }
}

}  // namespace
}  // namespace belfry::curve
