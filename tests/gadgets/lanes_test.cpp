// Gadgets in eight blocks side by side against the same blocks one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "belfry/gadgets/por.h"
#include "belfry/r1cs/lane_witness_builder.h"
#include "belfry/r1cs/shape_recorder.h"
#include "support/gadget_cases.h"

namespace belfry::test {
namespace {

using gadgets::AllocatedNumber;
using gadgets::NodeHash;
using r1cs::kWitnessLanes;

/// A random path of a lane.
struct RandomPath {
  std::vector<std::uint8_t> positions;
  std::vector<FrBytes> siblings;
  Fr leaf;

  RandomPath(const std::vector<std::uint32_t>& arities, std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    std::size_t count = 1;
    for (const std::uint32_t arity : arities) {
      positions.push_back(static_cast<std::uint8_t>(rng() % arity));
      count += arity - 1;
    }
    const std::vector<Fr> values = random_frs(count, seed + 1000);
    leaf = values.back();
    for (std::size_t i = 0; i + 1 < count; ++i) siblings.emplace_back(values[i]);
  }
  [[nodiscard]] gadgets::MerklePathView view(const std::vector<std::uint32_t>& arities) const {
    return {arities, positions, siblings};
  }
};

/// Blocks that hash a leaf, climb its path, and pack the index.
class PathCircuit {
 public:
  explicit PathCircuit(std::vector<std::uint32_t> arities, std::uint64_t seed)
      : arities_(std::move(arities)) {
    for (std::uint64_t k = 0; k < kWitnessLanes; ++k) paths_.emplace_back(arities_, seed + k);
  }

  [[nodiscard]] static std::uint64_t blocks() { return kWitnessLanes; }
  template <class Cs>
  [[nodiscard]] static int header(Cs& /*cs*/) {
    return 0;
  }
  template <class Cs>
  void block(Cs& cs, int /*header*/, std::uint64_t index) const {
    const auto leaf = AllocatedNumber<Cs>::alloc(cs, cs.given([&] {
      return r1cs::each_lane<Cs>([&](std::size_t lane) { return paths_[index + lane].leaf; });
    }));
    const std::vector<AllocatedNumber<Cs>> column(3, leaf);
    const auto hash = gadgets::poseidon<Cs>(cs, column, hash::poseidon_custom_tag(1));
    (void)hash.inputize(cs);
    gadgets::Booleans<Cs> bits;
    const auto root = gadgets::climb(cs, NodeHash::kPoseidon, hash, path<Cs>(index), bits);
    gadgets::pack_into_inputs(cs, bits);
    gadgets::prove_inclusion(cs, NodeHash::kPoseidon, hash, path<Cs>(index), root);
  }

 private:
  template <class Cs>
  [[nodiscard]] gadgets::MerklePathOf<Cs> path(std::uint64_t index) const {
    if constexpr (r1cs::kLanesOf<Cs> == 1) {
      return paths_[index].view(arities_);
    } else {
      gadgets::MerklePathLanes out{arities_, {}};
      for (std::size_t k = 0; k < kWitnessLanes; ++k) {
        out.lanes[k] = paths_[index + k].view(arities_);
      }
      return out;
    }
  }

  std::vector<std::uint32_t> arities_;
  std::vector<RandomPath> paths_;
};

TEST(GadgetsInLanes, EqualThoseOfEachBlock) {
  std::uint64_t seed = 1;
  for (const std::vector<std::uint32_t>& arities :
       std::vector<std::vector<std::uint32_t>>{{},
                                               {2},
                                               {4},
                                               {8},
                                               {16},
                                               {8, 8, 8},
                                               {8, 4},
                                               {2, 2, 2},
                                               {8, 8, 2},
                                               {8, 8, 8, 8, 8, 4, 2}}) {
    SCOPED_TRACE(arities.size());
    const PathCircuit circuit(arities, seed += 100);
    const auto shape = r1cs::extract_shape("paths", circuit);
    ASSERT_TRUE(shape);
    const r1cs::WitnessLayout layout = shape->layout();
    const auto singly = r1cs::compute_witness(layout, circuit, Executor(1));
    ASSERT_TRUE(singly);
    auto side_by_side = *r1cs::PackedWitness::create(layout);
    r1cs::LaneWitnessBuilder::Slices slices;
    for (std::size_t k = 0; k < kWitnessLanes; ++k) slices[k] = side_by_side.block_slice(k);
    r1cs::LaneWitnessBuilder cs(slices);
    circuit.block(cs, 0, 0);
    ASSERT_TRUE(cs.finish());
    for (std::size_t k = 0; k < kWitnessLanes; ++k) {
      const r1cs::WitnessPartView a = singly->block(k);
      const r1cs::WitnessPartView b = std::as_const(side_by_side).block(k);
      EXPECT_TRUE(std::ranges::equal(a.inputs, b.inputs)) << k;
      EXPECT_TRUE(std::ranges::equal(a.bits, b.bits)) << k;
      EXPECT_TRUE(std::ranges::equal(a.fields, b.fields)) << k;
    }
  }
}

TEST(GadgetsInLanes, HashThatDoesNotFitWritesNothing) {
  std::vector<Fr> memory(kWitnessLanes * 100);
  r1cs::LaneWitnessBuilder::Slices slices;
  for (std::size_t k = 0; k < kWitnessLanes; ++k) {
    slices[k].fields = std::span(memory).subspan(100 * k, 99);
  }
  using Cs = r1cs::LaneWitnessBuilder;
  Cs cs(slices);
  const auto one = AllocatedNumber<Cs>::alloc(cs, {});
  const std::vector<AllocatedNumber<Cs>> elements{one, one};
  (void)gadgets::poseidon<Cs>(cs, elements);
  EXPECT_FALSE(cs.finish());
  EXPECT_TRUE(std::ranges::all_of(memory, &Fr::is_zero));
}

}  // namespace
}  // namespace belfry::test
