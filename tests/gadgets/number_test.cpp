#include "belfry/gadgets/number.h"

#include <gtest/gtest.h>

#include "belfry/gadgets/bits.h"
#include "belfry/gadgets/pack.h"
#include "belfry/gadgets/uint64.h"
#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

constexpr std::uint64_t kSomeNumber = 0x123456789;

TEST(AllocatedNumber, MatchesTheReference) {
  test::golden().check("num_mul_square", [](auto& cs) {
    const auto a = num(cs, 3);
    const auto b = num(cs, 5);
    (void)a.mul(cs, b);
    (void)a.square(cs);
    a.assert_nonzero(cs);
  });
  test::golden().check("num_inputize", [](auto& cs) { num(cs, 3).inputize(cs); });
  test::golden().check("num_conditionally_reverse", [](auto& cs) {
    const auto a = num(cs, 3);
    const auto b = num(cs, 5);
    (void)gadgets::conditionally_reverse(cs, a, b, boolean(cs, true));
  });
  test::golden().check("num_to_bits_le",
                       [](auto& cs) { (void)num(cs, kSomeNumber).to_bits_le(cs); });
  test::golden().check("num_to_bits_le_strict",
                       [](auto& cs) { (void)num(cs, kSomeNumber).to_bits_le_strict(cs); });
  test::golden().check("field_into_boolean_vec_le", [](auto& cs) {
    (void)gadgets::alloc_field_bits_le(cs, cs.given([] { return Fr::from_u64(kSomeNumber); }));
  });
}

TEST(AllocatedNumber, DecompositionHasTheDigestOfTheReference) {
  expect_digest("1 number; to_bits_le",
                run_gadget([](auto& cs) { (void)num(cs, 1).to_bits_le(cs); }, "to_bits_le"));
}

TEST(AllocatedNumber, DecomposesEdgeValues) {
  for (const Fr& value : {Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(~std::uint64_t{0})}) {
    run_gadget(
        [&](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto x = gadgets::AllocatedNumber<Cs>::alloc(cs, cs.given([&] { return value; }));
          const auto loose = x.to_bits_le(cs);
          const auto strict = x.to_bits_le_strict(cs);
          const auto packed = gadgets::pack_bits(cs, loose);
          if constexpr (Cs::kComputesValues) {
            // The 255th bit is beyond what packing takes.
            const Fr top = loose.back().value() ? r1cs::powers_of_two()[254] : Fr::zero();
            EXPECT_EQ(packed.value() + top, value);
            for (std::size_t i = 0; i < loose.size(); ++i) {
              EXPECT_EQ(loose[i].value(), strict[i].value());
            }
          }
        },
        "bits of edge values");
  }
}

TEST(Pack, MatchesTheReference) {
  test::golden().check("pack_into_inputs_300",
                       [](auto& cs) { gadgets::pack_into_inputs(cs, message_bits(cs, 300)); });
  test::golden().check("pack_bits_256",
                       [](auto& cs) { (void)gadgets::pack_bits(cs, message_bits(cs, 256)); });
  test::golden().check("uint64_pack", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    gadgets::Uint64<Cs>::alloc(cs, cs.given([] {
      return std::uint64_t{0x1122334455667788};
    })).pack_into_input(cs);
  });
}

TEST(Pack, PlainPackingEqualsTheInputsOfTheCircuit) {
  for (const std::size_t n : {0U, 1U, 253U, 254U, 255U, 508U, 509U}) {
    const System system = run_gadget(
        [n](auto& cs) { gadgets::pack_into_inputs(cs, message_bits(cs, n)); }, "packing");
    std::vector<bool> bits;
    for (std::size_t i = 0; i < n; ++i) bits.push_back((((i / 8) >> (7 - i % 8)) & 1) != 0);
    const auto packed = gadgets::compute_multipacking(bits);
    const auto inputs = system.witness.inputs().subspan(1);
    EXPECT_TRUE(std::equal(packed.begin(), packed.end(), inputs.begin(), inputs.end())) << n;
  }
}

TEST(Num, KeepsConstantsAndNegationsApart) {
  run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        using Bool = gadgets::Boolean<Cs>;
        const auto yes = boolean(cs, true);
        gadgets::Num<Cs> sum = gadgets::Num<Cs>::constant(Fr::from_u64(100));
        sum.add_bit(!yes, 3);
        sum.add_bit(yes, 1);
        sum.add_bit(Bool::constant(true), 2);
        sum.add_bit(Bool::constant(false), 4);
        sum.add_bit_scaled(yes, Fr::from_u64(1000));
        sum.add_scaled(gadgets::Num<Cs>(num(cs, 7)), Fr::from_u64(10000));
        sum.scale(Fr::from_u64(2));
        sum.add(sum);
        const auto allocated = sum.allocate(cs);
        if constexpr (Cs::kComputesValues) {
          EXPECT_EQ(allocated.value(), Fr::from_u64(4 * (100 + 2 + 4 + 1000 + 70000)));
        }
      },
      "num");
}

TEST(Bits, BytesInBothOrders) {
  const std::array<std::uint8_t, 2> bytes{0x01, 0xf0};
  run_gadget(
      [&](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        const auto little = gadgets::alloc_bytes_bits(cs, bytes, bytes.size(),
                                                      gadgets::BitOrder::kLeastSignificantFirst);
        const auto big = gadgets::alloc_bytes_bits(cs, bytes, bytes.size(),
                                                   gadgets::BitOrder::kMostSignificantFirst);
        const auto turned = gadgets::reverse_bit_numbering<Cs>(little);
        const auto padded = gadgets::reverse_bit_numbering<Cs>({little[0]});
        EXPECT_EQ(padded.size(), 8U);
        EXPECT_TRUE(padded[0].is_constant(false));
        if constexpr (Cs::kComputesValues) {
          EXPECT_TRUE(little[0].value() && !little[8].value() && little[15].value());
          for (std::size_t i = 0; i < big.size(); ++i) {
            EXPECT_EQ(turned[i].value(), big[i].value());
          }
          EXPECT_TRUE(padded[7].value());
        }
      },
      "bytes");
}

}  // namespace
}  // namespace belfry::test
