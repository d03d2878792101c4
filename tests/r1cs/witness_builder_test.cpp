#include "belfry/r1cs/witness_builder.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "belfry/r1cs/packed_witness.h"

namespace belfry::r1cs {
namespace {

/// Random pieces against one bit at a time.
TEST(WitnessBuilder, PacksPiecesOfAnyLength) {
  std::mt19937_64 rng(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint64_t> pieces(40), bits(40);
    WitnessBuilder by_piece({{}, pieces, 0, {}});
    WitnessBuilder by_bit({{}, bits, 0, {}});
    for (int i = 0; i < 30; ++i) {
      const auto count = static_cast<unsigned>(i < 4 ? 64 : rng() % 65);
      const std::uint64_t mask = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      const std::uint64_t values = rng() & mask;
      by_piece.append_bits(values, count);
      for (unsigned j = 0; j < count; ++j) by_bit.alloc_bit(((values >> j) & 1) != 0);
      const std::uint64_t places = round % 4 == 0 ? ~std::uint64_t{0} : rng() & rng();
      by_piece.append_masked(values, places);
      for (unsigned j = 0; j < 64; ++j) {
        if (((places >> j) & 1) != 0) by_bit.alloc_bit(((values >> j) & 1) != 0);
      }
    }
    (void)by_piece.finish();
    (void)by_bit.finish();
    EXPECT_EQ(pieces, bits);
  }
}

TEST(WitnessBuilder, RefusesACircuitOfAnotherShape) {
  const WitnessLayout layout{{2, 3, 1}, {1, 65, 0}, 2};
  const auto run = [&](unsigned inputs, unsigned bits, unsigned fields) {
    PackedWitness witness = *PackedWitness::create(layout);
    WitnessBuilder cs(witness.header_slice());
    for (unsigned i = 0; i < inputs; ++i) cs.alloc_input(Fr::from_u64(9));
    for (unsigned i = 0; i < bits; ++i) cs.alloc_bit(true);
    for (unsigned i = 0; i < fields; ++i) cs.alloc_field(Fr::from_u64(8));
    const auto done = cs.finish();
    // Whatever the circuit wrote, the blocks are untouched.
    for (std::uint64_t i = 0; i < layout.blocks; ++i) {
      EXPECT_TRUE(witness.block(i).inputs[0].is_zero());
      EXPECT_EQ(witness.block(i).bits[0], 0U);
    }
    return done;
  };
  EXPECT_TRUE(run(1, 3, 1).has_value());
  for (const auto& done : {run(0, 3, 1), run(2, 3, 1), run(1, 2, 1), run(1, 4, 1), run(1, 200, 1),
                           run(1, 3, 0), run(1, 3, 50)}) {
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidInput);
    EXPECT_FALSE(done.error().found.empty());
  }
}

TEST(PackedWitness, CutsPartsApart) {
  const WitnessLayout layout{{2, 3, 1}, {1, 65, 2}, 2};
  PackedWitness witness = *PackedWitness::create(layout);
  EXPECT_EQ(layout.inputs(), 4U);
  EXPECT_EQ(layout.words(), 5U);
  EXPECT_EQ(layout.fields(), 5U);
  EXPECT_EQ(witness.inputs()[0], Fr::one());
  WitnessSlice slice = witness.block_slice(1);
  slice.inputs[0] = Fr::from_u64(3);
  slice.bits[1] = 1;
  slice.fields[1] = Fr::from_u64(4);
  EXPECT_EQ(witness.inputs()[3], Fr::from_u64(3));
  EXPECT_EQ(witness.block(1).bits[1], 1U);
  EXPECT_EQ(witness.block(1).fields[1], Fr::from_u64(4));
  EXPECT_EQ(witness.block(0).bits[1], 0U);
  EXPECT_EQ(witness.header().inputs.size(), 2U);
  EXPECT_EQ(witness.header_slice().inputs.size(), 1U);
  PackedWitness copy = witness;
  slice.fields[1] = Fr::zero();
  EXPECT_EQ(copy.block(1).fields[1], Fr::from_u64(4));
  witness = copy;
  EXPECT_EQ(witness.block(1).fields[1], Fr::from_u64(4));
  EXPECT_EQ(witness.inputs()[3], Fr::from_u64(3));
  EXPECT_GE(witness.memory_bytes(), 4 * 32U + 5 * 8U + 5 * 32U);
}

}  // namespace
}  // namespace belfry::r1cs
