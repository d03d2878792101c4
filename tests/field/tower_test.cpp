#include <gtest/gtest.h>

#include <random>

#include "belfry/field/batch_invert.h"
#include "belfry/field/fp12.h"
#include "belfry/field/sqrt.h"
#include "support/points.h"

namespace belfry {
namespace {

template <class Field>
class Tower : public testing::Test {
 protected:
  std::mt19937_64 rng_{7};
  Field random() { return test::random_element<Field>(rng_); }
};
using Fields = testing::Types<Fp2, Fp6, Fp12>;
TYPED_TEST_SUITE(Tower, Fields);

TYPED_TEST(Tower, FieldLaws) {
  using Field = TypeParam;
  for (int i = 0; i < 20; ++i) {
    const Field a = this->random();
    const Field b = this->random();
    const Field c = this->random();
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ((a - b) + b, a);
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a * a.inverse(), Field::one());
    EXPECT_EQ(a * Field::one(), a);
  }
  EXPECT_TRUE(Field::zero().inverse().is_zero());
  EXPECT_EQ(Field::one().inverse(), Field::one());
}

TYPED_TEST(Tower, BatchInvertKeepsZeros) {
  std::vector<TypeParam> values(9);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = this->random();
  const auto before = values;
  field::batch_invert(std::span(values));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], before[i].inverse());
}

TEST(Fp12, ProductAgreesWithTheSlowReference) {
  std::mt19937_64 rng(8);
  for (int i = 0; i < 5; ++i) {
    const Fp12 a = test::random_element<Fp12>(rng);
    const Fp12 b = test::random_element<Fp12>(rng);
    EXPECT_EQ(test::to_slow(a * b), test::to_slow(a) * test::to_slow(b));
    EXPECT_EQ(test::to_slow(a.square()), test::to_slow(a) * test::to_slow(a));
  }
}

TEST(Fp2, AgreesWithTheSlowReferenceAtTheEdges) {
  const std::vector<Fp> edges{Fp::zero(), Fp::one(), -Fp::one(), Fp{field::FpParams::kHalfModulus}};
  for (const Fp& a0 : edges) {
    for (const Fp& a1 : edges) {
      for (const Fp& b : edges) {
        const Fp2 x{a0, a1};
        const Fp2 y{b, -Fp::one()};
        EXPECT_EQ(test::to_slow(x * y), test::to_slow(x) * test::to_slow(y));
        EXPECT_EQ(test::to_slow(x.square()), test::to_slow(x) * test::to_slow(x));
        EXPECT_EQ(x * b, x * (Fp2{b, Fp::zero()}));
        EXPECT_EQ(x.norm(), (x * x.conjugate()).c0);
      }
    }
  }
}

TEST(Fp2, NonResidueIsOnePlusU) {
  std::mt19937_64 rng(9);
  const Fp2 x = test::random_element<Fp2>(rng);
  EXPECT_EQ(x.times_non_residue(), x * (Fp2{Fp::one(), Fp::one()}));
  EXPECT_FALSE(field::sqrt(Fp2{Fp::one(), Fp::one()}).has_value());
}

TEST(Fp2, SqrtFindsRootsOfExactlyTheSquares) {
  std::mt19937_64 rng(10);
  int roots = 0;
  for (int i = 0; i < 100; ++i) {
    Fp2 x = test::random_element<Fp2>(rng);
    if (i % 10 == 0) x.c1 = Fp::zero();
    if (i % 10 == 1) x.c0 = Fp::zero();
    const auto root = field::sqrt(x.square());
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(*root == x || *root == -x);
    const auto maybe = field::sqrt(x);
    EXPECT_EQ(maybe.has_value(), !field::sqrt(x.times_non_residue()).has_value());
    if (maybe) {
      ++roots;
      EXPECT_EQ(maybe->square(), x);
    }
  }
  EXPECT_GT(roots, 30);
  EXPECT_LT(roots, 80);
  EXPECT_EQ(field::sqrt(Fp2::zero()), Fp2::zero());
}

TEST(Fp12, FrobeniusIsThePowerOfP) {
  std::mt19937_64 rng(11);
  const Fp12 x = test::random_element<Fp12>(rng);
  Fp12 power = Fp12::one();
  for (std::size_t bit = 64 * Fp::kLimbs; bit-- > 0;) {
    power = power.square();
    if (((field::FpParams::kModulus[bit / 64] >> (bit % 64)) & 1) != 0) power *= x;
  }
  EXPECT_EQ(x.frobenius(), power);
  Fp12 sixth = x;
  for (int i = 0; i < 6; ++i) sixth = sixth.frobenius();
  EXPECT_EQ(sixth, x.conjugate());
}

TEST(Fp12, SparseProductsEqualFullOnes) {
  std::mt19937_64 rng(12);
  const Fp12 x = test::random_element<Fp12>(rng);
  const Fp6 y = test::random_element<Fp6>(rng);
  const Fp2 a = test::random_element<Fp2>(rng);
  const Fp2 b = test::random_element<Fp2>(rng);
  const Fp2 c = test::random_element<Fp2>(rng);
  EXPECT_EQ(x.times_line(a, b, c), x * (Fp12{{a, b, {}}, {{}, c, {}}}));
  EXPECT_EQ(y.times_01(a, b), y * (Fp6{a, b, {}}));
  EXPECT_EQ(y.times_1(a), y * (Fp6{{}, a, {}}));
  EXPECT_EQ(y.times_v(), y * (Fp6{{}, Fp2::one(), {}}));
  EXPECT_EQ(y * a, y * (Fp6{a, {}, {}}));
}

TEST(Fp12, CyclotomicSquareIsASquareThere) {
  std::mt19937_64 rng(13);
  const Fp12 x = test::random_element<Fp12>(rng);
  const Fp12 unitary = x.conjugate() * x.inverse();
  const Fp12 cyclotomic = unitary.frobenius().frobenius() * unitary;
  EXPECT_EQ(cyclotomic.cyclotomic_square(), cyclotomic.square());
  EXPECT_EQ(cyclotomic.conjugate(), cyclotomic.inverse());
  EXPECT_NE(x.cyclotomic_square(), x.square());
}

}  // namespace
}  // namespace belfry
