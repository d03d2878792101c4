#include "belfry/field/fp.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "belfry/field/batch_invert.h"
#include "belfry/field/fp12.h"
#include "belfry/field/sqrt.h"
#include "support/points.h"

namespace belfry {
namespace {

/// Zero, one, the modulus less a little, and limbs full of ones or zeros: where carries go wrong.
template <class Field>
std::vector<Field> edge_elements() {
  std::vector<Field> out{Field::zero(), Field::one(), -Field::one(), Field::from_u64(2)};
  typename Field::Limbs below_modulus = Field::from_u64(0).limbs;
  for (std::size_t i = 0; i < Field::kLimbs; ++i) {
    below_modulus[i] = ~std::uint64_t{0};
    if (i + 1 == Field::kLimbs) below_modulus[i] >>= 4;
    out.push_back(Field{below_modulus});
    typename Field::Limbs single{};
    single[i] = 1;
    out.push_back(Field{single});
    out.push_back(-Field{single});
  }
  return out;
}

template <class Field>
class PrimeField : public testing::Test {};
using PrimeFields = testing::Types<Fr, Fp>;
TYPED_TEST_SUITE(PrimeField, PrimeFields);

TYPED_TEST(PrimeField, AgreesWithTheSlowReference) {
  auto elements = edge_elements<TypeParam>();
  std::mt19937_64 rng(1);
  for (int i = 0; i < 10; ++i) elements.push_back(test::random_element<TypeParam>(rng));
  for (const auto& a : elements) {
    EXPECT_EQ(test::to_slow(-a), -test::to_slow(a));
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.doubled(), a + a);
    for (const auto& b : elements) {
      EXPECT_EQ(test::to_slow(a + b), test::to_slow(a) + test::to_slow(b));
      EXPECT_EQ(test::to_slow(a - b), test::to_slow(a) - test::to_slow(b));
      EXPECT_EQ(test::to_slow(a * b), test::to_slow(a) * test::to_slow(b));
      EXPECT_EQ(TypeParam::portable_product(a, b), a * b);
    }
  }
}

TYPED_TEST(PrimeField, SquareAndInverseAgreeWithProducts) {
  auto elements = edge_elements<TypeParam>();
  std::mt19937_64 rng(2);
  for (int i = 0; i < 2000; ++i) elements.push_back(test::random_element<TypeParam>(rng));
  for (const auto& a : elements) {
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.square(), TypeParam::portable_product(a, a));
    EXPECT_EQ(a * a.inverse(), a.is_zero() ? TypeParam::zero() : TypeParam::one());
  }
  EXPECT_EQ(TypeParam::zero().inverse(), TypeParam::zero());
  for (const auto& a : edge_elements<TypeParam>()) EXPECT_EQ(a.inverse(), a.portable_inverse());
  // Small integers and their inverses run through the extremes of an inversion by shifts.
  for (std::uint64_t k = 1; k < 300; ++k) {
    const auto x = TypeParam::from_canonical({k});
    EXPECT_EQ(x.inverse().inverse(), x);
    EXPECT_EQ(x * x.inverse(), TypeParam::one());
    EXPECT_EQ((-x).inverse(), -x.inverse());
  }
}

TYPED_TEST(PrimeField, PowFollowsTheExponent) {
  const auto x = TypeParam::from_u64(3);
  auto expected = TypeParam::one();
  for (std::uint64_t e = 0; e < 40; ++e, expected *= x) EXPECT_EQ(x.pow(e), expected);
  EXPECT_EQ(TypeParam::zero().pow(std::uint64_t{0}), TypeParam::one());
}

TYPED_TEST(PrimeField, BatchInvertKeepsZeros) {
  std::mt19937_64 rng(3);
  for (const std::size_t n : {0U, 1U, 2U, 7U, 64U}) {
    std::vector<TypeParam> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = i % 3 == 1 ? TypeParam::zero() : test::random_element<TypeParam>(rng);
    }
    const auto before = values;
    field::batch_invert(std::span(values));
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(values[i], before[i].inverse());
  }
}

TYPED_TEST(PrimeField, SqrtFindsRootsOfExactlyTheSquares) {
  std::mt19937_64 rng(4);
  int roots = 0;
  for (int i = 0; i < 200; ++i) {
    const auto x = test::random_element<TypeParam>(rng);
    const auto root = field::sqrt(x.square());
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(*root == x || *root == -x);
    if (const auto maybe = field::sqrt(x)) {
      ++roots;
      EXPECT_EQ(maybe->square(), x);
    } else {
      // Euler: a non-residue times a non-residue is a residue; 5 is one in Fr, -1 in Fp.
      const auto five = TypeParam::from_u64(5);
      const auto non_residue = field::sqrt(five).has_value() ? -TypeParam::one() : five;
      EXPECT_TRUE(field::sqrt(x * non_residue).has_value());
    }
  }
  EXPECT_GT(roots, 60);
  EXPECT_LT(roots, 140);
  EXPECT_EQ(field::sqrt(TypeParam::zero()), TypeParam::zero());
  EXPECT_EQ(field::sqrt(TypeParam::one())->square(), TypeParam::one());
}

TEST(FpBytes, AcceptsExactlyTheCanonicalIntegers) {
  auto bytes = from_hex(reference::FpPrime::kHex).value();
  const auto accepted = [&] {
    const auto fixed = std::span(bytes).first<FpBytes::kSize>();
    EXPECT_EQ(FpBytes::parse(fixed).has_value(), FpBytes::parse_fp(fixed).has_value());
    return FpBytes::parse(fixed).has_value();
  };
  EXPECT_FALSE(accepted());
  --bytes[FpBytes::kSize - 1];
  EXPECT_TRUE(accepted());
  EXPECT_EQ(FpBytes::parse_fp(std::span(bytes).first<FpBytes::kSize>()), -Fp::one());
  ++bytes[0];
  EXPECT_FALSE(accepted());
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0xff});
  EXPECT_FALSE(accepted());
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
  EXPECT_TRUE(accepted());
}

TEST(FpBytes, RoundTrips) {
  std::mt19937_64 rng(5);
  for (int i = 0; i < 100; ++i) {
    const Fp x = test::random_element<Fp>(rng);
    const FpBytes bytes(x);
    EXPECT_EQ(bytes.to_fp(), x);
    EXPECT_EQ(FpBytes::parse(bytes.bytes()), bytes);
    EXPECT_EQ(bytes.limbs(), x.to_canonical());
  }
  EXPECT_EQ(FpBytes(Fp::from_u64(0x0102)).bytes()[FpBytes::kSize - 1], 0x02);
  EXPECT_EQ(FpBytes(Fp::from_u64(0x0102)).bytes()[FpBytes::kSize - 2], 0x01);
}

}  // namespace
}  // namespace belfry
