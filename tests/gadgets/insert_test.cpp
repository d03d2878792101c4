#include "belfry/gadgets/insert.h"

#include <gtest/gtest.h>

#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

using gadgets::AllocatedNumber;
using gadgets::Boolean;

TEST(Select, MatchesTheReference) {
  for (const std::size_t size : {2U, 4U, 8U, 16U}) {
    test::golden().check("select_" + std::to_string(size), [size](auto& cs) {
      using Cs = CsOf<decltype(cs)>;
      const auto from = counting_numbers(cs, 1, size);
      (void)gadgets::select<Cs>(cs, from, index_bits(cs, 11 % size, log2_of(size)));
    });
  }
}

TEST(Insert, MatchesTheReference) {
  for (const std::size_t size : {2U, 4U, 8U, 16U}) {
    test::golden().check("insert_" + std::to_string(size), [size](auto& cs) {
      using Cs = CsOf<decltype(cs)>;
      const auto others = counting_numbers(cs, 1, size - 1);
      const auto element = num(cs, 99);
      (void)gadgets::insert<Cs>(cs, element, index_bits(cs, 11 % size, log2_of(size)), others);
    });
  }
}

System insertion(std::size_t size, std::size_t index) {
  return run_gadget(
      [=](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        const auto element = num(cs, 99);
        const auto others = counting_numbers(cs, 1, size - 1);
        const auto bits = index_bits(cs, index, log2_of(size));
        const auto inserted = gadgets::insert<Cs>(cs, element, bits, others);
        ASSERT_EQ(inserted.size(), size);
        if constexpr (Cs::kComputesValues) {
          std::vector<Fr> expected;
          for (const auto& other : others) expected.push_back(other.value());
          expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(index), element.value());
          for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(inserted[i].value(), expected[i]) << i;
        }
      },
      "insert");
}

TEST(Insert, PutsTheElementAtEveryPlace) {
  for (const std::size_t size : {2U, 4U, 8U, 16U}) {
    for (std::size_t index = 0; index < size; ++index) (void)insertion(size, index);
  }
}

TEST(Insert, HasTheDigestsOfTheReference) {
  expect_digest("2 numbers e, s0; 1 bit", insertion(2, 1));
  expect_digest("4 numbers e, s0..s2; 2 bits", insertion(4, 2));
  expect_digest("8 numbers e, s0..s6; 3 bits", insertion(8, 5));
}

TEST(Insert, EveryValueIsTiedDown) {
  for (const std::size_t size : {2U, 4U, 8U}) {
    expect_computed_values_matter(insertion(size, size - 1), size, log2_of(size));
  }
}

TEST(Select, TakesTheElementAtEveryPlace) {
  for (const std::size_t size : {1U, 2U, 4U, 8U, 16U}) {
    for (std::size_t index = 0; index < size; ++index) {
      const System system = run_gadget(
          [=](auto& cs) {
            using Cs = CsOf<decltype(cs)>;
            const auto from = counting_numbers(cs, 20, size);
            const auto bits = index_bits(cs, index, log2_of(size));
            const auto selected = gadgets::select<Cs>(cs, from, bits);
            if constexpr (Cs::kComputesValues) {
              EXPECT_EQ(selected.value(), Fr::from_u64(20 + index));
            }
          },
          "select");
      EXPECT_EQ(system.shape.constraints(), log2_of(size) + size - 1);
    }
  }
}

/// A constant condition emits its row all the same; two equal variables leave A empty (traps 15, 17
/// of spec gadgets.md 18).
TEST(Pick, KeepsItsRowWhateverTheOperands) {
  for (const bool condition : {false, true}) {
    const System system = run_gadget(
        [condition](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto a = num(cs, 3);
          const auto b = num(cs, 5);
          const auto picked = gadgets::pick(cs, Boolean<Cs>::constant(condition), a, b);
          const auto same = gadgets::pick(cs, boolean(cs, condition), a, a);
          if constexpr (Cs::kComputesValues) {
            EXPECT_EQ(picked.value(), Fr::from_u64(condition ? 3 : 5));
            EXPECT_EQ(same.value(), Fr::from_u64(3));
          }
        },
        "pick");
    EXPECT_EQ(system.shape.constraints(), 3U);
    EXPECT_EQ(system.shape.dense_a_aux(), 3U);  // a, b, and the bit
  }
}

TEST(InsertDeathTest, RefusesOurOwnMistakes) {
  using Cs = r1cs::WitnessBuilder;
  const auto run = [](std::size_t others, std::size_t bits, bool constant) {
    Cs cs(r1cs::WitnessSlice{});
    const gadgets::Booleans<Cs> index =
        constant ? gadgets::Booleans<Cs>(bits, Boolean<Cs>::constant(true))
                 : index_bits(cs, 0, bits);
    (void)gadgets::insert<Cs>(cs, num(cs, 1), index, counting_numbers(cs, 0, others));
  };
  EXPECT_DEATH(run(0, 0, false), "one place per index");
  EXPECT_DEATH(run(2, 2, false), "one place per index");
  EXPECT_DEATH(run(3, 1, false), "one place per index");
  EXPECT_DEATH(run(7, 3, true), "allocated");
}

}  // namespace
}  // namespace belfry::test
