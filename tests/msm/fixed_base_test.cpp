#include "belfry/msm/fixed_base.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/kernel_isas.h"
#include "support/random_points.h"
#include "support/vectors.h"

namespace belfry::msm {
namespace {

template <class C>
class FixedBaseOf : public testing::Test {
 protected:
  using Affine = typename C::Affine;

  void expect_multiples(const Affine& base, std::size_t expected, const std::vector<Fr>& scalars) {
    for (const Isa isa : test::kernel_isas()) {
      const FixedBase<C> table(base, expected, executor_, isa);
      std::vector<Affine> got(scalars.size());
      ASSERT_TRUE(table.multiply(scalars, got, executor_).has_value());
      for (std::size_t i = 0; i < scalars.size(); ++i) {
        ASSERT_EQ(got[i], curve::multiply<C>(base, scalars[i]).to_affine())
            << to_string(isa) << " scalar " << i << " of a table for " << expected;
      }
    }
  }

  Executor executor_{2};
};

using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(FixedBaseOf, Curves);

TYPED_TEST(FixedBaseOf, RandomScalarsWithTablesOfAnySize) {
  const auto base = test::random_points<TypeParam>(1, 1)[0];
  const auto scalars = test::random_frs(33, 2);
  for (const std::size_t expected : {0, 1, 100, 5000}) {
    this->expect_multiples(base, expected, scalars);
  }
}

TYPED_TEST(FixedBaseOf, EdgeScalars) {
  std::vector<Fr> scalars{Fr::zero(), Fr::one(), Fr::from_u64(2), -Fr::one(), -Fr::from_u64(2)};
  Fr power = Fr::one();
  for (int i = 0; i < 254; ++i) {
    power = power.doubled();
    scalars.push_back(power);
    scalars.push_back(-power);
  }
  this->expect_multiples(TypeParam::generator(), 300, scalars);
}

TYPED_TEST(FixedBaseOf, InfinityHasOneMultiple) {
  this->expect_multiples(TypeParam::Affine::infinity(), 50, test::random_frs(9, 3));
}

TYPED_TEST(FixedBaseOf, SeveralTasks) {
  constexpr std::size_t kCount = 4097;
  std::vector<Fr> scalars(kCount);
  for (std::size_t i = 0; i < kCount; ++i) scalars[i] = Fr::from_u64(i);
  const FixedBase<TypeParam> table(TypeParam::generator(), kCount, this->executor_);
  std::vector<typename TypeParam::Affine> got(kCount);
  ASSERT_TRUE(table.multiply(scalars, got, this->executor_).has_value());
  auto want = TypeParam::Jacobian::infinity();
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(TypeParam::Jacobian::from_affine(got[i]), want) << i;
    want += TypeParam::generator();
  }
}

TYPED_TEST(FixedBaseOf, RefusesLengthsThatDiffer) {
  const FixedBase<TypeParam> table(TypeParam::generator(), 1, this->executor_);
  std::vector<typename TypeParam::Affine> out(2);
  const auto result = table.multiply(test::random_frs(1, 4), out, this->executor_);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace belfry::msm
