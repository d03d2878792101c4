#include "belfry/gadgets/label.h"

#include <gtest/gtest.h>

#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

using gadgets::Booleans;

/// The number that a gadget returns, against the golden row.
template <class Cs>
void expect_number(std::string_view name, const gadgets::AllocatedNumber<Cs>& number) {
  if constexpr (Cs::kComputesValues) {
    EXPECT_EQ(number.value(), fr_from_big_endian(text(test::golden().row(name)["number"]))) << name;
  }
}

TEST(Sha256Number, MatchesTheReference) {
  const System pair = test::golden().check("sha256_hash2", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    gadgets::Numbers<Cs> numbers{num(cs, 3)};
    numbers.push_back(num(cs, 5));
    expect_number("sha256_hash2", gadgets::sha256_of_numbers<Cs>(cs, numbers));
  });
  expect_digest("2 numbers; sha_hash2", pair);
  test::golden().check("sha256_multileaf8", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    expect_number("sha256_multileaf8",
                  gadgets::sha256_of_numbers<Cs>(cs, counting_numbers(cs, 0, 8)));
  });
  test::golden().check("sha256_leaf_bits_256_256", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto bits = message_bits(cs, 512);
    (void)gadgets::sha256_of_bits<Cs>(cs, Booleans<Cs>(bits.begin(), bits.begin() + 256),
                                      Booleans<Cs>(bits.begin() + 256, bits.end()));
  });
}

TEST(Sha256Number, EqualsTheNodeOfAPlainTree) {
  const auto values = random_frs(2, 77);
  run_gadget(
      [&](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        const auto node = gadgets::sha256_of_numbers<Cs>(cs, given_numbers(cs, values));
        if constexpr (Cs::kComputesValues) {
          EXPECT_EQ(FrBytes(node.value()).bytes(),
                    hash::sha256_node(FrBytes(values[0]).bytes(), FrBytes(values[1]).bytes()));
        }
      },
      "node");
}

/// A group of 256 bits: bit i is bit 7 - i mod 8 of the byte (i/8 + j) mod 256.
template <class Cs>
Booleans<Cs> shifted_bits(Cs& cs, std::size_t j) {
  Booleans<Cs> bits;
  for (std::size_t i = 0; i < 256; ++i) {
    bits.push_back(boolean(cs, ((((i / 8 + j) % 256) >> (7 - i % 8)) & 1) != 0));
  }
  return bits;
}

TEST(Label, MatchesTheReferencesUnitTest) {
  const System system = test::golden().check("create_label_test", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    std::vector<Booleans<Cs>> parents;
    for (std::size_t j = 0; j < gadgets::kLabelParents; ++j) parents.push_back(shifted_bits(cs, j));
    const auto replica_id = shifted_bits(cs, 0);
    expect_number(
        "create_label_test",
        gadgets::create_label<Cs>(cs, replica_id, parents, gadgets::Uint32<Cs>::constant(3),
                                  gadgets::Uint64<Cs>::constant(22)));
  });
  expect_digest("37 × 256 bits (parents)", system);
}

TEST(Label, OfDecomposedNumbersMatchesTheReference) {
  test::golden().check("create_label_nums", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto bits = [&cs](std::uint64_t value) {
      return gadgets::reverse_bit_numbering<Cs>(num(cs, value).to_bits_le(cs));
    };
    const auto replica_id = bits(0x1234567);
    const auto node = gadgets::Uint64<Cs>::alloc(cs, cs.given([] { return std::uint64_t{22}; }));
    std::vector<Booleans<Cs>> parents;
    for (std::uint64_t j = 0; j < 14; ++j) parents.push_back(bits(1000 + j));
    expect_number(
        "create_label_nums",
        gadgets::create_label<Cs>(cs, replica_id, parents, gadgets::Uint32<Cs>::constant(3), node));
  });
}

/// The form of the PoRep circuit, with 255 allocated bits a value.
TEST(Label, HasTheDigestOfTheReference) {
  const System system = run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        const auto group = [&cs](std::uint64_t value) {
          return gadgets::reverse_bit_numbering<Cs>(
              gadgets::alloc_field_bits_le(cs, cs.given([value] { return Fr::from_u64(value); })));
        };
        std::vector<Booleans<Cs>> parents;
        for (std::uint64_t j = 0; j < gadgets::kLabelParents; ++j) parents.push_back(group(j));
        const auto replica_id = group(99);
        const auto node = gadgets::Uint64<Cs>::alloc(cs, cs.given([] { return std::uint64_t{5}; }));
        (void)gadgets::create_label<Cs>(cs, replica_id, parents, gadgets::Uint32<Cs>::constant(3),
                                        node);
      },
      "label");
  expect_digest("37 × (255 bits, then `rev8`)", system);
}

TEST(LabelDeathTest, RefusesOurOwnMistakes) {
  using Cs = r1cs::WitnessBuilder;
  const auto run = [](std::size_t replica_bits, std::vector<Booleans<Cs>> parents) {
    Cs cs(r1cs::WitnessSlice{});
    const Booleans<Cs> replica_id(replica_bits);
    (void)gadgets::create_label<Cs>(cs, replica_id, parents, gadgets::Uint32<Cs>::constant(3),
                                    gadgets::Uint64<Cs>::constant(1));
  };
  EXPECT_DEATH(run(257, {Booleans<Cs>(256)}), "preimage");
  EXPECT_DEATH(run(256, {}), "preimage");
  EXPECT_DEATH(run(256, {Booleans<Cs>(257)}), "32 bytes");
}

}  // namespace
}  // namespace belfry::test
