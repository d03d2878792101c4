#include "belfry/gadgets/sha256.h"

#include <gtest/gtest.h>

#include <random>

#include "belfry/gadgets/bits.h"
#include "belfry/r1cs/row_cursor.h"
#include "support/circuits.h"

namespace belfry::test {
namespace {

/// The bytes behind 256 Booleans, most significant bit of each byte first.
template <class Cs>
Bytes32 bytes_of(const gadgets::Booleans<Cs>& bits) {
  Bytes32 out{};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i].value()) out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | (0x80 >> (i % 8)));
  }
  return out;
}

TEST(Uint32, MatchesTheReference) {
  test::golden().check("uint32_xor_const", [](auto& cs) {
    using Word = gadgets::Uint32<CsOf<decltype(cs)>>;
    const auto a = Word::alloc(cs, cs.given([] { return std::uint32_t{0xdeadbeef}; }));
    const auto b = Word::alloc(cs, cs.given([] { return std::uint32_t{0x01234567}; }));
    const auto r = Word::xor_of(cs, a, Word::constant(0x0f0f0f0f));
    (void)Word::xor_of(cs, r, b);
  });
  test::golden().check("uint32_addmany", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    using Word = gadgets::Uint32<Cs>;
    const auto a = Word::alloc(cs, cs.given([] { return std::uint32_t{0xdeadbeef}; }));
    const auto b = Word::alloc(cs, cs.given([] { return std::uint32_t{0x01234567}; }));
    const auto a2 = Word::xor_of(cs, a, Word::constant(0xffff0000));
    gadgets::MultiEq<Cs> multi_eq(cs);
    std::vector<Word> operands{a2, b, Word::constant(5)};
    for (unsigned i = 0; i < 9; ++i) {
      const Word sum = Word::add_many(multi_eq, operands);
      operands = {sum, a2};
      if (i % 2 == 1) {
        operands.push_back(b.rotr(7));
        operands.push_back(b.shr(3));
      }
    }
  });
}

/// Words and bits are two ways to say the same: every operation, on random mixes of constant,
/// plain and negated bits, allocates the same values in the same order.
TEST(Uint32, WordsAllocateWhatBitsAllocate) {
  using Cs = r1cs::WitnessBuilder;
  using Words = gadgets::Uint32Words<Cs>;
  using Bits = gadgets::Uint32Bits<Cs>;
  using Bool = gadgets::Boolean<Cs>;
  std::mt19937 rng(7);
  for (int round = 0; round < 300; ++round) {
    std::array<gadgets::Booleans<Cs>, 3> operands;
    for (auto& bits : operands) {
      // Rounds with few constants reach the paths for words without any.
      const auto constants = static_cast<std::uint32_t>(round % 3 == 0   ? 0
                                                        : round % 3 == 1 ? rng() & rng()
                                                                         : rng());
      for (std::size_t i = 0; i < Words::kBits; ++i) {
        const bool value = (rng() & 1) != 0;
        const gadgets::AllocatedBit<Cs> behind{{}, value};
        if (((constants >> i) & 1) != 0) {
          bits.push_back(Bool::constant(value));
        } else {
          bits.push_back((rng() & 3) == 0 ? Bool::is_not(behind) : Bool::is(behind));
        }
      }
    }
    const auto run = [&](auto tag) {
      using Word = decltype(tag);
      std::vector<std::uint64_t> storage(16, 0);
      Cs cs({{}, storage, 0, {}});
      std::array<Word, 3> w{};
      for (std::size_t i = 0; i < w.size(); ++i) {
        w[i] = Word::from_bits_be(std::span<const Bool, 32>(operands[i]));
      }
      std::vector<Word> results{Word::xor_of(cs, w[0], w[1]), Word::xor_of(cs, w[0], w[1].shr(5)),
                                Word::xor_of(cs, w[2].rotr(9), w[1]),
                                Word::ch_of(cs, w[0], w[1], w[2]),
                                Word::maj_of(cs, w[0], w[1], w[2])};
      gadgets::MultiEq<Cs> multi_eq(cs);
      results.push_back(Word::add_many(multi_eq, w));
      (void)cs.finish();
      std::string kinds;
      for (const auto& word : results) {
        for (std::size_t i = 0; i < Words::kBits; ++i) {
          kinds += std::to_string(int(word.bit(i).kind())) + std::to_string(word.bit(i).value());
        }
      }
      return std::pair{storage, kinds};
    };
    EXPECT_EQ(run(Words{}), run(Bits{})) << round;
  }
}

TEST(Sha256, MatchesTheReference) {
  test::golden().check("sha256_compress_512", [](auto& cs) {
    (void)gadgets::sha256_block_no_padding(cs, message_bits(cs, 512));
  });
  for (const std::size_t n : {0U, 8U, 64U, 256U, 448U, 512U, 1024U, 1536U, 2048U}) {
    const std::string name = "sha256_" + std::to_string(n);
    test::golden().check(name, [&](auto& cs) {
      using Cs = CsOf<decltype(cs)>;
      const auto digest = gadgets::sha256<Cs>(cs, message_bits(cs, n));
      if constexpr (Cs::kComputesValues) {
        EXPECT_EQ(to_hex(bytes_of(digest)), text(test::golden().row(name)["digest"]));
      }
    });
  }
}

TEST(Sha256, EmptyBlockFoldsToAConstant) {
  const System system = run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        const auto digest = gadgets::sha256<Cs>(cs, {});
        for (const auto& bit : digest) EXPECT_TRUE(bit.is_constant());
      },
      "constant message");
  EXPECT_EQ(system.shape.constraints(), 0U);
}

TEST(Sha256, MultiEqRowsComeWhereTheReferencePutsThem) {
  const System system = run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        (void)gadgets::sha256<Cs>(cs, message_bits(cs, 512));
      },
      "sha256 of 512 bits");
  // Spec gadgets.md 8.3. MultiEq rows are those whose C has more than the few terms of bit rows.
  const std::vector<std::size_t> expected{
      1704,  2748,  3792,  4836,  5880,  6924,  7804,  8754,  9768,  10814, 11828, 12874,
      13888, 14934, 15948, 16994, 18008, 19054, 20068, 21114, 22128, 23174, 24188, 25234,
      26150, 26351, 27624, 28670, 29684, 30730, 31744, 32790, 33804, 34850, 35864, 36910,
      37924, 38970, 39984, 41030, 42044, 43090, 44104, 45150, 45384, 45385};
  std::vector<std::size_t> found;
  std::vector<std::pair<std::size_t, std::size_t>> sizes;
  r1cs::RowCursor a(system.shape.header().matrix(r1cs::Matrix::kA), 0);
  r1cs::RowCursor c(system.shape.header().matrix(r1cs::Matrix::kC), 0);
  for (std::size_t row = 0; row < system.shape.constraints(); ++row) {
    const std::size_t a_terms = a.next().terms.size();
    const std::size_t c_terms = c.next().terms.size();
    if (c_terms <= 4) continue;
    found.push_back(row);
    sizes.emplace_back(a_terms, c_terms);
  }
  EXPECT_EQ(found, expected);
  using Size = std::pair<std::size_t, std::size_t>;
  ASSERT_EQ(sizes.size(), expected.size());
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(sizes[i], Size(896, 238));
  EXPECT_EQ(sizes[6], Size(801, 239));
  EXPECT_EQ(sizes[7], Size(481, 245));
  EXPECT_EQ(sizes[25], Size(353, 233));
  EXPECT_EQ(sizes.back(), Size(64, 33));
}

/// Any single bit of the values, turned over, leaves a row unsatisfied: nothing is free.
TEST(Sha256, EveryBitIsTiedDown) {
  System system = run_gadget(
      [](auto& cs) {
        using Cs = CsOf<decltype(cs)>;
        (void)gadgets::sha256<Cs>(cs, message_bits(cs, 128));
      },
      "sha256 of 128 bits");
  std::mt19937_64 rng(4);
  const std::uint64_t bits = system.shape.header().counts.bits;
  for (int i = 0; i < 20; ++i) {
    // The message and the last sums too, besides random places.
    const std::uint64_t at = i == 0 ? 0 : i == 1 ? bits - 1 : rng() % bits;
    std::uint64_t& word = system.witness.header_slice().bits[at / 64];
    word ^= std::uint64_t{1} << (at % 64);
    multiply_all(system);
    EXPECT_LT(first_unsatisfied(system), system.a.size()) << at;
    word ^= std::uint64_t{1} << (at % 64);
  }
}

/// Random messages against the plain hash; random values must satisfy all rows.
TEST(Sha256, HashesRandomMessages) {
  std::mt19937 rng(3);
  for (const std::size_t bytes : {1U, 31U, 55U, 56U, 64U, 100U}) {
    std::vector<std::uint8_t> message(bytes);
    for (auto& byte : message) byte = static_cast<std::uint8_t>(rng());
    run_gadget(
        [&](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto digest = gadgets::sha256<Cs>(
              cs, gadgets::alloc_bytes_bits(cs, message, message.size(),
                                            gadgets::BitOrder::kMostSignificantFirst));
          if constexpr (Cs::kComputesValues) {
            EXPECT_EQ(bytes_of(digest), hash::sha256(message));
          }
        },
        "random message");
  }
}

}  // namespace
}  // namespace belfry::test
