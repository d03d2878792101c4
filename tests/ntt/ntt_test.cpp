#include "belfry/ntt/ntt.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/reference.h"
#include "ntt/transforms.h"
#include "support/kernel_isas.h"
#include "support/vectors.h"

namespace belfry::ntt {
namespace {

std::vector<Fr> naive(const std::vector<Fr>& x, const Fr& omega) {
  std::vector<Fr> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Fr point = omega.pow(i);
    for (std::size_t j = x.size(); j-- > 0;) out[i] = out[i] * point + x[j];
  }
  return out;
}

class NttOn : public testing::TestWithParam<Isa> {
 protected:
  [[nodiscard]] static Plan plan_of(unsigned log_size) {
    return Plan::create(domain_of(log_size), GetParam()).value();
  }

  Executor executor_{2};
};

INSTANTIATE_TEST_SUITE_P(Isas, NttOn, testing::ValuesIn(test::kernel_isas()), test::kIsaTestName);

TEST(Reference, IsTheDefinition) {
  for (unsigned log_size = 0; log_size <= 8; ++log_size) {
    const Domain domain = domain_of(log_size);
    const std::vector<Fr> x = test::random_frs(domain.size(), log_size);
    std::vector<Fr> y = x;
    reference_transform(y, domain.omega());
    EXPECT_TRUE(y == naive(x, domain.omega())) << log_size;
  }
}

// One test for all kernels: the reference costs more than they do and is computed once.
class Ntt : public testing::Test {
 protected:
  /// Compares the transforms of x on every instruction set, with levels of each of these sizes.
  void check_everywhere(const Domain& domain, const std::vector<Fr>& x,
                        std::initializer_list<unsigned> level_logs = {Plan::kMaxLevelLog}) const {
    const Expected expected = expect(domain, x);
    for (const Isa isa : test::kernel_isas()) {
      for (const unsigned level_log : level_logs) {
        SCOPED_TRACE(std::string(to_string(isa)) + ", levels of " + std::to_string(level_log));
        check_all(Plan::create(domain, isa, level_log).value(), x, expected, executor_);
      }
    }
  }

  Executor executor_{2};
};

TEST_F(Ntt, EverySizeEqualsTheReference) {
  for (unsigned log_size = 0; log_size <= 13; ++log_size) {
    SCOPED_TRACE(log_size);
    const Domain domain = domain_of(log_size);
    check_everywhere(domain, test::random_frs(domain.size(), 100 + log_size));
  }
}

/// Short levels cut small transforms into as many passes as the largest have.
TEST_F(Ntt, EveryNumberOfLevelsEqualsTheReference) {
  for (const unsigned log_size : {9U, 10U, 11U, 13U, 14U}) {
    SCOPED_TRACE(log_size);
    const Domain domain = domain_of(log_size);
    check_everywhere(domain, test::random_frs(domain.size(), log_size), {Plan::kMinLevelLog, 6U});
  }
}

TEST_F(Ntt, ExtremeValuesEqualTheReference) {
  const Fr largest = -Fr::one();
  for (const unsigned log_size : {3U, 6U, 11U, 12U}) {
    SCOPED_TRACE(log_size);
    const Domain domain = domain_of(log_size);
    Fr raw_largest;  // the greatest limbs, r - 1 as an integer in Montgomery form
    raw_largest.limbs = field::FrParams::kModulus;
    raw_largest.limbs[0] -= 1;
    for (const Fr& value : {Fr::zero(), Fr::one(), largest, raw_largest}) {
      std::vector<Fr> x(domain.size(), value);
      check_everywhere(domain, x);
      for (std::size_t i = 0; i < x.size(); i += 2) x[i] = Fr::zero() - x[i];
      check_everywhere(domain, x);
    }
  }
}

TEST_P(NttOn, ThreadCountDoesNotMatter) {
  const Plan plan = plan_of(12);
  const std::vector<Fr> x = test::random_frs(plan.domain().size(), 7);
  const std::vector<Fr> expected = apply(coset_forward, plan, x, Executor(1));
  for (const unsigned threads : {2U, 3U, 8U}) {
    EXPECT_TRUE(apply(coset_forward, plan, x, Executor(threads)) == expected) << threads;
  }
}

TEST_P(NttOn, RoundTripsOfLargeSizes) {
  for (const unsigned log_size : {14U, 16U, 17U}) {
    const Plan plan = plan_of(log_size);
    const std::vector<Fr> x = test::random_frs(plan.domain().size(), log_size);
    EXPECT_TRUE(apply(inverse, plan, apply(forward, plan, x, executor_), executor_) == x);
    EXPECT_TRUE(apply(coset_inverse, plan, apply(coset_forward, plan, x, executor_), executor_) ==
                x);
  }
}

/// h·Z = A·B - C, by values at one point outside of H.
TEST_P(NttOn, QuotientDividesExactly) {
  for (unsigned log_size = 0; log_size <= 14; ++log_size) {
    SCOPED_TRACE(log_size);
    const Plan plan = Plan::create(domain_of(log_size), GetParam(), 5 + log_size % 3).value();
    const std::size_t m = plan.domain().size();
    std::vector<Fr> a = test::random_frs(m, 1);
    std::vector<Fr> b = test::random_frs(m, 2);
    std::vector<Fr> c(m);
    for (std::size_t i = 0; i < m; ++i) c[i] = a[i] * b[i];
    std::array<std::vector<Fr>, 3> coefficients{expect(plan.domain(), a).inverse,
                                                expect(plan.domain(), b).inverse,
                                                expect(plan.domain(), c).inverse};
    ASSERT_TRUE(quotient(plan, a, b, c, executor_).has_value());
    EXPECT_TRUE(a[m - 1].is_zero());
    const Fr point = test::random_frs(1, 3)[0];
    const auto evaluate = [&point](const std::vector<Fr>& x) {
      Fr sum;
      for (std::size_t i = x.size(); i-- > 0;) sum = sum * point + x[i];
      return sum;
    };
    EXPECT_EQ(evaluate(a) * plan.domain().vanishing(point),
              evaluate(coefficients[0]) * evaluate(coefficients[1]) - evaluate(coefficients[2]));
  }
}

/// An unsatisfied system gives what the specification's recipe gives, too.
TEST_P(NttOn, QuotientOfUnsatisfiedSystemFollowsTheRecipe) {
  const Plan plan = plan_of(9);
  const Domain& domain = plan.domain();
  std::vector<Fr> a = test::random_frs(domain.size(), 4);
  std::vector<Fr> b = test::random_frs(domain.size(), 5);
  std::vector<Fr> c = test::random_frs(domain.size(), 6);
  const auto on_coset = [&domain](const std::vector<Fr>& x) {
    return expect(domain, expect(domain, x).inverse).coset_forward;
  };
  const auto av = on_coset(a);
  const auto bv = on_coset(b);
  const auto cv = on_coset(c);
  std::vector<Fr> h(domain.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    h[i] = (av[i] * bv[i] - cv[i]) * domain.vanishing_inverse();
  }
  h = expect(domain, h).coset_inverse;
  ASSERT_TRUE(quotient(plan, a, b, c, executor_).has_value());
  EXPECT_TRUE(a == h);
  EXPECT_FALSE(a.back().is_zero());
}

TEST_P(NttOn, WrongLengthIsRefused) {
  const Plan plan = plan_of(3);
  for (const std::size_t n : {0U, 7U, 9U}) {
    std::vector<Fr> x(n);
    for (const Transform transform :
         {forward, inverse, coset_forward, coset_inverse, forward_to_reversed, inverse_to_reversed,
          coset_inverse_to_reversed, forward_from_reversed, inverse_from_reversed,
          coset_forward_from_reversed}) {
      const auto result = transform(plan, x, executor_);
      ASSERT_FALSE(result.has_value());
      EXPECT_EQ(result.error().code, ErrorCode::kInvalidUsage);
    }
    std::vector<Fr> right(8);
    EXPECT_FALSE(quotient(plan, x, right, right, executor_).has_value());
    EXPECT_FALSE(quotient(plan, right, x, right, executor_).has_value());
    EXPECT_FALSE(quotient(plan, right, right, x, executor_).has_value());
  }
}

TEST(Plan, RefusesLevelsOutsideTheLimits) {
  for (const unsigned level_log : {0U, 4U, 12U, ~0U}) {
    const auto plan = Plan::create(domain_of(4), Isa::kPortable, level_log);
    ASSERT_FALSE(plan.has_value()) << level_log;
    EXPECT_EQ(plan.error().code, ErrorCode::kInvalidUsage);
  }
}

TEST(Plan, RefusesAnInstructionSetThatTheCpuLacks) {
  if (best_isa() == Isa::kIfma) GTEST_SKIP() << "this CPU has all of them";
  const auto plan = Plan::create(domain_of(4), Isa::kIfma);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, ErrorCode::kInvalidUsage);
}

TEST(BitReverse, EverySize) {
  const Executor executor(2);
  for (unsigned log_size = 0; log_size <= 14; ++log_size) {
    const std::vector<Fr> x = test::random_frs(std::size_t{1} << log_size, log_size);
    std::vector<Fr> y = x;
    ASSERT_TRUE(bit_reverse(y, executor).has_value());
    EXPECT_TRUE(y == reversed(x)) << log_size;
  }
}

TEST(BitReverse, RefusesOtherLengths) {
  const Executor executor(1);
  for (const std::size_t n : {0U, 3U, 1025U}) {
    std::vector<Fr> x(n);
    const auto result = bit_reverse(x, executor);
    ASSERT_FALSE(result.has_value()) << n;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidUsage);
  }
}

}  // namespace
}  // namespace belfry::ntt
