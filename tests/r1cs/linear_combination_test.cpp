#include "belfry/r1cs/linear_combination.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/vectors.h"

namespace belfry::r1cs {
namespace {

using Reference = std::map<Variable, Fr>;

Reference read(const LinearCombination& lc) {
  Reference out;
  for (const Term& term : lc.terms()) {
    EXPECT_TRUE(out.emplace(term.variable, lc.value_of(term.code)).second) << "a variable twice";
    EXPECT_FALSE(out[term.variable].is_zero());
  }
  return out;
}

void add(Reference& map, Variable variable, const Fr& value) {
  map.emplace(variable, Fr::zero()).first->second += value;
  if (map[variable].is_zero()) map.erase(variable);
}

TEST(LinearCombination, IsEmptyAtFirst) {
  EXPECT_TRUE(LinearCombination{}.terms().empty());
  EXPECT_TRUE(LinearCombination{}.plus(Variable::aux(3), Fr::zero()).terms().empty());
}

TEST(LinearCombination, SortsInputsBeforeAux) {
  LinearCombination lc;
  lc.plus(Variable::aux(0)).plus(Variable::input(7)).plus_one().plus(Variable::aux(9));
  std::vector<Variable> order;
  for (const Term& term : lc.terms()) order.push_back(term.variable);
  EXPECT_EQ(order,
            (std::vector{Variable::one(), Variable::input(7), Variable::aux(0), Variable::aux(9)}));
}

TEST(LinearCombination, MergesPowers) {
  const Variable x = Variable::aux(1);
  LinearCombination doubled;
  doubled.plus(x).plus(x);
  ASSERT_EQ(doubled.terms().size(), 1U);
  EXPECT_EQ(doubled.terms()[0].code, 1U) << "2 is a power of two";
  EXPECT_TRUE(LinearCombination{}.plus(x).minus(x).terms().empty());
  LinearCombination top;
  top.plus(x, Coefficient::power_of_two(254)).plus(x, Coefficient::power_of_two(254));
  EXPECT_EQ(read(top)[x], powers_of_two()[254].doubled());
  // Three terms of which the first two cancel.
  LinearCombination three;
  three.plus(x).minus(x).plus(x, Coefficient::power_of_two(5));
  EXPECT_EQ(read(three)[x], Fr::from_u64(32));
}

TEST(LinearCombination, AddsItself) {
  LinearCombination lc;
  lc.plus(Variable::aux(1)).plus(Variable::aux(0), Fr::from_u64(3));
  lc.plus(lc, Coefficient::power_of_two(2));
  EXPECT_EQ(read(lc)[Variable::aux(1)], Fr::from_u64(5));
  EXPECT_EQ(read(lc)[Variable::aux(0)], Fr::from_u64(15));
}

TEST(LinearCombination, ClearsAndIsUsedAgain) {
  LinearCombination lc;
  for (std::uint32_t i = 0; i < 20; ++i) lc.plus(Variable::aux(i), Fr::from_u64(3));
  lc.clear();
  EXPECT_TRUE(lc.terms().empty());
  lc.minus(Variable::aux(4));
  EXPECT_EQ(read(lc)[Variable::aux(4)], -Fr::one());
}

Coefficient random_coefficient(std::mt19937_64& rng) {
  switch (rng() % 4) {
    case 0:
      return Coefficient::power_of_two(static_cast<std::uint32_t>(rng() % kPowerCodes));
    case 1:
      return -Coefficient::power_of_two(static_cast<std::uint32_t>(rng() % kPowerCodes));
    case 2:
      return Fr::from_u64(rng() % 3);
    default:
      return test::random_fr(rng);
  }
}

/// Random histories of additions, scalings and sums against a map.
TEST(LinearCombination, BehavesLikeAMap) {
  std::mt19937_64 rng(11);
  for (int round = 0; round < 200; ++round) {
    LinearCombination lc;
    Reference reference;
    for (std::uint64_t i = 0; i < rng() % 40; ++i) {
      const std::uint32_t index = static_cast<std::uint32_t>(rng() % 8);
      const Variable variable = rng() % 2 == 0 ? Variable::aux(index) : Variable::input(index);
      const Coefficient k = random_coefficient(rng);
      const std::uint64_t action = rng() % 8;
      if (action == 0) {
        lc.scale(k);
        for (auto& entry : reference) entry.second *= k.value();
        if (k.value().is_zero()) reference.clear();
      } else if (action == 1) {
        LinearCombination other;
        other.plus(variable, k).plus_one();
        const Coefficient factor = random_coefficient(rng);
        lc.plus(other, factor);
        add(reference, variable, k.value() * factor.value());
        add(reference, Variable::one(), factor.value());
      } else {
        lc.plus(variable, k);
        add(reference, variable, k.value());
      }
      if (rng() % 5 == 0) {
        EXPECT_EQ(read(lc), reference);
      }
    }
    EXPECT_EQ(read(lc), reference) << round;
  }
}

TEST(Coefficient, NegatesBothWays) {
  EXPECT_EQ((-Coefficient::power_of_two(7)).value(), -Fr::from_u64(128));
  EXPECT_EQ((-(-Coefficient::power_of_two(7))).value(), Fr::from_u64(128));
  EXPECT_EQ((-Coefficient(Fr::from_u64(3))).value(), -Fr::from_u64(3));
}

}  // namespace
}  // namespace belfry::r1cs
