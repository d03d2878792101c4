#include "belfry/r1cs/lane_witness_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "belfry/r1cs/packed_witness.h"

namespace belfry::r1cs {
namespace {

/// Values of a block as it would allocate them: lane k of 8 random ones.
struct Script {
  std::vector<LaneBit> bits;
  std::vector<LaneFr> fields;
  std::vector<LaneFr> inputs;

  explicit Script(const PartLayout& part) {
    std::mt19937_64 rng(part.bits + part.fields);
    const auto element = [&rng] {
      LaneFr value;
      for (Fr& lane : value.lanes) lane = Fr::from_u64(rng());
      return value;
    };
    for (std::uint64_t i = 0; i < part.bits; ++i) bits.push_back({std::uint8_t(rng())});
    for (std::uint64_t i = 0; i < part.fields; ++i) fields.push_back(element());
    for (std::uint64_t i = 0; i < part.inputs; ++i) inputs.push_back(element());
  }
};

Result<void> run_lanes(const Script& script, PackedWitness& witness) {
  LaneWitnessBuilder::Slices slices;
  for (std::size_t k = 0; k < slices.size(); ++k) slices[k] = witness.block_slice(k);
  LaneWitnessBuilder cs(slices);
  for (const LaneFr& value : script.inputs) cs.alloc_input(value);
  for (const LaneBit bit : script.bits) cs.alloc_bit(bit);
  for (std::size_t i = 0; i < script.fields.size(); ++i) {
    // Every other pair by the caller's own hand.
    if (i % 4 != 2 || i + 1 == script.fields.size()) {
      cs.alloc_field(script.fields[i]);
      continue;
    }
    const auto to = cs.append_fields(2);
    for (std::size_t k = 0; to && k < to->size(); ++k) {
      (*to)[k][0] = script.fields[i].lanes[k];
      (*to)[k][1] = script.fields[i + 1].lanes[k];
    }
    ++i;
  }
  return cs.finish();
}

Result<void> run_one(const Script& script, PackedWitness& witness, std::size_t lane) {
  WitnessBuilder cs(witness.block_slice(lane));
  for (const LaneFr& value : script.inputs) cs.alloc_input(value.lanes[lane]);
  for (const LaneBit bit : script.bits) cs.alloc_bit(bit.at(lane));
  for (const LaneFr& value : script.fields) cs.alloc_field(value.lanes[lane]);
  return cs.finish();
}

bool equal(const WitnessPartView& a, const WitnessPartView& b) {
  return std::ranges::equal(a.inputs, b.inputs) && std::ranges::equal(a.bits, b.bits) &&
         std::ranges::equal(a.fields, b.fields);
}

TEST(LaneWitnessBuilder, WritesWhatEightBuildersWrite) {
  for (const PartLayout& part :
       {PartLayout{}, PartLayout{1, 1, 1}, PartLayout{2, 63, 5}, PartLayout{1, 64, 6},
        PartLayout{3, 65, 7}, PartLayout{0, 200, 0}}) {
    const WitnessLayout layout{{1, 0, 0}, part, kWitnessLanes + 1};
    const Script script(part);
    PackedWitness side_by_side = *PackedWitness::create(layout);
    PackedWitness singly = *PackedWitness::create(layout);
    ASSERT_TRUE(run_lanes(script, side_by_side));
    for (std::size_t k = 0; k < kWitnessLanes; ++k) ASSERT_TRUE(run_one(script, singly, k));
    for (std::size_t k = 0; k <= kWitnessLanes; ++k) {
      EXPECT_TRUE(equal(side_by_side.block(k), singly.block(k)))
          << part.bits << " bits, lane " << k;
    }
  }
}

TEST(LaneWitnessBuilder, RefusesACircuitOfAnotherShape) {
  const PartLayout part{2, 65, 6};
  for (const PartLayout& made :
       {PartLayout{1, 65, 6}, PartLayout{3, 65, 6}, PartLayout{2, 64, 6}, PartLayout{2, 66, 6},
        PartLayout{2, 400, 6}, PartLayout{2, 65, 5}, PartLayout{2, 65, 7}, PartLayout{2, 65, 60}}) {
    PackedWitness witness = *PackedWitness::create({{1, 0, 0}, part, kWitnessLanes + 1});
    const auto done = run_lanes(Script(made), witness);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidInput);
    EXPECT_FALSE(done.error().found.empty());
    // Whatever the circuit wrote, the block behind is untouched.
    const WitnessPartView behind = std::as_const(witness).block(kWitnessLanes);
    EXPECT_TRUE(std::ranges::all_of(behind.fields, &Fr::is_zero));
    EXPECT_TRUE(std::ranges::all_of(behind.inputs, &Fr::is_zero));
    EXPECT_TRUE(std::ranges::all_of(behind.bits, [](std::uint64_t word) { return word == 0; }));
  }
}

TEST(LaneValues, AreThoseOfEachLane) {
  const LaneBit a{0b11001010};
  const LaneBit b{0b10011100};
  LaneFr yes;
  LaneFr no;
  for (std::size_t k = 0; k < kWitnessLanes; ++k) {
    yes.lanes[k] = Fr::from_u64(100 + k);
    no.lanes[k] = Fr::from_u64(200 + k);
  }
  LaneFr sum = no;
  add_where(sum, a, Fr::from_u64(7));
  const LaneFr chosen = choose(a, yes, no);
  for (std::size_t k = 0; k < kWitnessLanes; ++k) {
    EXPECT_EQ((!a).at(k), !a.at(k));
    EXPECT_EQ(bit_and(a, b).at(k), a.at(k) && b.at(k));
    EXPECT_EQ(bit_xor(a, b).at(k), a.at(k) != b.at(k));
    EXPECT_EQ(chosen.lanes[k], a.at(k) ? yes.lanes[k] : no.lanes[k]);
    EXPECT_EQ(sum.lanes[k], no.lanes[k] + (a.at(k) ? Fr::from_u64(7) : Fr::zero()));
  }
  LaneBit set;
  set.set(3, true);
  set.set(5, false);
  EXPECT_EQ(set.lanes, 1U << 3);
}

}  // namespace
}  // namespace belfry::r1cs
