#include "belfry/gadgets/constraint.h"

#include <gtest/gtest.h>

#include "belfry/gadgets/lookup.h"
#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

using gadgets::Boolean;

TEST(Constraint, EncodingMatchesTheReference) {
  test::golden().check("encode", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto key = num(cs, 3);
    const auto replica = gadgets::encode(cs, key, num(cs, 5));
    if constexpr (Cs::kComputesValues) {
      EXPECT_EQ(replica.value(), Fr::from_u64(8));
    }
  });
  test::golden().check("decode", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto key = num(cs, 3);
    const auto data = gadgets::decode(cs, key, num(cs, 5));
    if constexpr (Cs::kComputesValues) {
      EXPECT_EQ(data.value(), Fr::from_u64(2));
    }
  });
}

TEST(Constraint, SumsAndDifferencesAreTiedDown) {
  const System system = run_gadget(
      [](auto& cs) {
        const auto a = num(cs, 3);
        const auto b = num(cs, 5);
        const auto sum = gadgets::add(cs, a, b);
        gadgets::enforce_equal(cs, gadgets::subtract(cs, sum, b), a);
        gadgets::enforce_sum(cs, a, b, sum);
        gadgets::enforce_difference(cs, sum, a, b);
      },
      "sums");
  EXPECT_EQ(system.shape.constraints(), 5U);
  expect_computed_values_matter(system, 2, 0);
}

TEST(Constraint, XorMatchesTheReference) {
  test::golden().check("xor_512", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto bits = message_bits(cs, 512);
    const std::span<const Boolean<Cs>> all(bits);
    const auto out = gadgets::xor_with_key<Cs>(cs, all.first(256), all.subspan(256));
    if constexpr (Cs::kComputesValues) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(out[i].value(), bits[i].value() != bits[256 + i].value());
      }
    }
  });
}

/// The table of the golden rows: (100 + i², 7 + 3i).
template <std::size_t N>
std::array<gadgets::TableEntry, N> quadratic_table() {
  std::array<gadgets::TableEntry, N> table{};
  for (std::uint64_t i = 0; i < N; ++i) {
    table[i] = {Fr::from_u64(100 + i * i), Fr::from_u64(7 + 3 * i)};
  }
  return table;
}

TEST(Lookup, MatchesTheReference) {
  test::golden().check("lookup3_xy", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto bits = message_bits(cs, 3);
    (void)gadgets::lookup3_xy<Cs>(cs, std::span(bits).template first<3>(), quadratic_table<8>());
  });
  test::golden().check("lookup3_xy_neg", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto bits = message_bits(cs, 3);
    (void)gadgets::lookup3_xy_with_conditional_negation<Cs>(cs, std::span(bits).template first<3>(),
                                                            quadratic_table<4>());
  });
}

TEST(Lookup, FindsEveryEntry) {
  for (std::uint64_t index = 0; index < 8; ++index) {
    const System system = run_gadget(
        [index](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto bits = index_bits(cs, index, 3);
          const auto table = quadratic_table<8>();
          const auto [x, y] =
              gadgets::lookup3_xy<Cs>(cs, std::span(bits).template first<3>(), table);
          if constexpr (Cs::kComputesValues) {
            EXPECT_EQ(x.value(), table[index].x);
            EXPECT_EQ(y.value(), table[index].y);
          }
        },
        "lookup");
    expect_computed_values_matter(system, 0, 3);
    run_gadget(
        [index](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto bits = index_bits(cs, index, 3);
          const auto table = quadratic_table<4>();
          const auto [x, y] = gadgets::lookup3_xy_with_conditional_negation<Cs>(
              cs, std::span(bits).template first<3>(), table);
          if constexpr (Cs::kComputesValues) {
            EXPECT_EQ(x.value(), table[index % 4].x);
            EXPECT_EQ(y.value(), index >= 4 ? -table[index % 4].y : table[index % 4].y);
          }
        },
        "lookup with negation");
  }
}

}  // namespace
}  // namespace belfry::test
