#include "belfry/gadgets/poseidon.h"

#include <gtest/gtest.h>

#include "belfry/r1cs/row_cursor.h"
#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

using gadgets::AllocatedNumber;

/// Poseidon of 0, 1, ..., arity - 1; the result must be `expected`.
auto counting_hash(std::size_t arity, const Fr& tag, const Fr& expected) {
  return [=](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto result = gadgets::poseidon<Cs>(cs, counting_numbers(cs, 0, arity), tag);
    if constexpr (Cs::kComputesValues) {
      EXPECT_EQ(result.value(), expected);
    }
  };
}

TEST(PoseidonCircuit, MatchesTheReference) {
  for (const std::size_t arity : {2U, 4U, 8U, 11U, 16U, 24U, 36U}) {
    const std::string name = "poseidon_legacy_" + std::to_string(arity);
    const Fr expected = fr_from_big_endian(text(test::golden().row(name)["number"]));
    test::golden().check(name, counting_hash(arity, hash::poseidon_tree_tag(arity), expected));
  }
  const std::string name = "poseidon_legacy_2_custom1";
  test::golden().check(name,
                       counting_hash(2, hash::poseidon_custom_tag(1),
                                     fr_from_big_endian(text(test::golden().row(name)["number"]))));
}

TEST(PoseidonCircuit, HasTheDigestsOfTheReference) {
  const auto system = [](std::size_t arity, const Fr& tag) {
    return run_gadget(
        [=](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          (void)gadgets::poseidon<Cs>(cs, counting_numbers(cs, 5, arity), tag);
        },
        "poseidon");
  };
  for (const std::size_t arity : {2U, 4U, 8U, 11U}) {
    const std::string text = std::to_string(arity);
    expect_digest(text + " numbers; poseidon" + text,
                  system(arity, hash::poseidon_tree_tag(arity)));
  }
  expect_digest("2 numbers; G (custom tag 1)", system(2, hash::poseidon_custom_tag(1)));
}

TEST(PoseidonCircuit, ChainMatchesTheReference) {
  test::golden().check("hash_md_71", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    gadgets::Numbers<Cs> ones;
    for (int i = 0; i < 71; ++i) ones.push_back(num(cs, 1));
    const auto result = gadgets::poseidon_chain<Cs>(cs, ones);
    if constexpr (Cs::kComputesValues) {
      EXPECT_EQ(result.value(),
                fr_from_big_endian(text(test::golden().row("hash_md_71")["number"])));
    }
  });
}

TEST(PoseidonCircuit, ChainOfOneElementIsTheElement) {
  run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        const auto result = gadgets::poseidon_chain<Cs>(cs, counting_numbers(cs, 9, 1));
        if constexpr (Cs::kComputesValues) {
          EXPECT_EQ(result.value(), Fr::from_u64(9));
        }
      },
      "chain of one");
}

/// Every arity: rows 3·(8t + R_P - 1) + 8t + R_P - a, satisfied by random elements, with the result
/// of the plain hash.
TEST(PoseidonCircuit, EveryArityEqualsThePlainHash) {
  for (std::size_t arity = 1; arity <= 13; ++arity) {
    const auto elements = random_frs(arity, 100 + arity);
    const System system = run_gadget(
        [&](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto result = gadgets::poseidon<Cs>(cs, given_numbers(cs, elements));
          if constexpr (Cs::kComputesValues) {
            EXPECT_EQ(result.value(), hash::poseidon(elements));
          }
        },
        "poseidon of random elements");
    const auto& constants = hash::poseidon_constants(arity);
    const std::size_t sboxes = 8 * constants.width + constants.partial_rounds;
    EXPECT_EQ(system.shape.constraints(), 3 * (sboxes - 1) + sboxes - arity) << arity;
    EXPECT_EQ(system.shape.aux(), system.shape.constraints() + arity);
  }
}

/// Sizes of the linear combinations in front of S-boxes (spec gadgets.md 11.4): rows whose B is
/// ONE.
TEST(PoseidonCircuit, LinearCombinationsGrowByATermARound) {
  constexpr std::size_t kWidth = 3;
  constexpr std::size_t kPartialRounds = 55;
  const System system = run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        (void)gadgets::poseidon<Cs>(cs, counting_numbers(cs, 1, 2));
      },
      "poseidon");
  std::vector<std::size_t> expected(3 * kWidth, kWidth);
  for (std::size_t p = 0; p < kPartialRounds; ++p) expected.push_back(kWidth + p);
  expected.insert(expected.end(), kWidth, kWidth + kPartialRounds);
  expected.insert(expected.end(), 3 * kWidth + 1, kWidth);
  std::vector<std::size_t> found;
  r1cs::RowCursor a(system.shape.header().matrix(r1cs::Matrix::kA), 0);
  for (std::size_t row = 0; row < system.shape.constraints(); ++row) {
    const std::size_t terms = a.next().terms.size();
    if (terms > 2) found.push_back(terms);
  }
  EXPECT_EQ(found, expected);
}

TEST(PoseidonCircuit, EveryValueIsTiedDown) {
  const System system = run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        (void)gadgets::poseidon<Cs>(cs, counting_numbers(cs, 3, 2));
      },
      "poseidon");
  expect_computed_values_matter(system, 2, 0);
}

TEST(PoseidonCircuitDeathTest, RefusesOurOwnMistakes) {
  const auto run = [](std::size_t arity) {
    r1cs::WitnessBuilder cs(r1cs::WitnessSlice{});
    (void)gadgets::poseidon<r1cs::WitnessBuilder>(cs, counting_numbers(cs, 0, arity), Fr::zero());
  };
  EXPECT_DEATH(run(0), "1 to 36");
  EXPECT_DEATH(run(37), "1 to 36");
}

}  // namespace
}  // namespace belfry::test
