// Witnesses and public inputs of PoSts against the recorded ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/post/challenges.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/filecoin/post/job.h"
#include "belfry/filecoin/post/synthetic_vanilla.h"
#include "belfry/r1cs/lane_witness_builder.h"
#include "filecoin/recorded_post.h"
#include "filecoin/recorded_witness.h"

namespace belfry::filecoin {
namespace {

void expect_recorded(const test::RecordedPost& recorded, const std::string& folder) {
  const Executor executor(2);
  const VanillaPost post = recorded.parsed();
  const auto shape = post_shape(post.config.kind, *post.config.sector);
  ASSERT_TRUE(shape);
  const test::JsonFile golden(folder + "/witness.json");
  std::uint32_t k = 0;
  for (const auto partition : golden["partitions"].get_array()) {
    SCOPED_TRACE(k);
    const auto prepared = prepare_post_partition(shape->layout(), post, k, executor);
    ASSERT_TRUE(prepared) << prepared.error().describe();
    test::expect_witness(partition, *shape, prepared->witness, executor);
    EXPECT_TRUE(std::ranges::equal(prepared->public_inputs, prepared->witness.inputs().subspan(1)));
    ++k;
  }
  EXPECT_EQ(k, post_statement(post).partitions());
  EXPECT_FALSE(prepare_post_partition(shape->layout(), post, k, executor));
}

class PostWitness : public testing::TestWithParam<const char*> {};

TEST_P(PostWitness, EqualsTheReference) {
  expect_recorded(test::read_recorded_post(GetParam()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Vectors, PostWitness,
                         testing::Values("winning-2kib", "window-2kib-1sector",
                                         "window-2kib-3sectors"));

TEST(PostWitness32KiB, EqualsTheReference) {
  expect_recorded(test::read_recorded_32kib_post(), "porep-32kib/window");
}

/// The sectors of circuits.md 7.5: leaf i of slot j is 100·j + i + 1, comm_c is 7 + j.
VanillaPost post_by_hand(ApiVersion api) {
  VanillaPost post{.config = {PostKind::kWindow, *find_sector("2KiB"), api},
                   .randomness = FrBytes(Fr::from_u64(9)),
                   .sectors = {}};
  for (std::uint64_t j = 0; j < 2; ++j) {
    std::vector<Node> leaves;
    for (std::uint64_t i = 0; i < post.config.sector->nodes(); ++i) {
      leaves.emplace_back(Fr::from_u64(100 * j + i + 1));
    }
    const test::SmallTree tree(TreeHash::kPoseidon, post.config.sector->tree, leaves);
    VanillaPostSector sector;
    sector.sector_number = j == 0 ? 0 : 1234;
    sector.comm_c = FrBytes(Fr::from_u64(7 + j));
    sector.comm_r_last = tree.root();
    sector.comm_r = comm_r(sector.comm_c, sector.comm_r_last);
    for (const std::uint64_t leaf :
         post_challenges(post.config, post.randomness, {sector.sector_number, j})) {
      sector.inclusions.push_back(tree.prove(leaf));
    }
    post.sectors.push_back(std::move(sector));
  }
  return post;
}

TEST(PostWitnessByHand, EqualsTheSpecification) {
  const Executor executor(2);
  const test::JsonFile golden("filecoin/post-circuits.json");
  const auto shape = post_shape(PostKind::kWindow, **find_sector("2KiB"));
  ASSERT_TRUE(shape);
  std::size_t cases = 0;
  for (const auto row : golden["witness_window_2kib"].get_array()) {
    const VanillaPost post = post_by_hand(test::api_version(test::text(row["api"])));
    for (std::size_t j = 0; j < 2; ++j) {
      const auto leaves =
          post_challenges(post.config, post.randomness, {post.sectors[j].sector_number, j});
      std::size_t n = 0;
      for (const auto leaf : row["leaves"].at(j).get_array()) {
        EXPECT_EQ(leaves.at(n++), test::number(leaf));
      }
      EXPECT_EQ(post.sectors[j].comm_r.to_fr(),
                test::fr_from_big_endian(test::text(golden["comm_r_window_2kib"].at(j))));
    }
    const auto prepared = prepare_post_partition(shape->layout(), post, 0, executor);
    ASSERT_TRUE(prepared) << prepared.error().describe();
    EXPECT_EQ(to_hex(r1cs::aux_digest(*shape, prepared->witness)), test::text(row["aux_digest"]));
    EXPECT_EQ(test::checked_abc_digest(*shape, prepared->witness, executor),
              test::text(row["abc_digest"]));
    const r1cs::WitnessLookupView lookup(*shape, prepared->witness);
    for (const auto sample : golden["aux_samples_window_2kib"].get_array()) {
      EXPECT_EQ(lookup.aux(test::number(sample["index"])),
                test::fr_from_big_endian(test::text(sample["value"])));
    }
    ++cases;
  }
  EXPECT_EQ(cases, 2U);
}

TEST(PostWitness, EverySizeIsSatisfied) {
  const Executor executor(2);
  for (const SectorParams& sector : sector_table()) {
    for (const PostKind kind : {PostKind::kWinning, PostKind::kWindow}) {
      SCOPED_TRACE(std::string(sector.name));
      // The window circuits of 32 and 64 GiB have witnesses of 4 GB.
      if (post_params(kind, sector).sectors > kWinningSectors) continue;
      const VanillaPost post = synthetic_post({kind, &sector, ApiVersion::kV1_0}, 1, 5, executor);
      const auto shape = post_shape(kind, sector);
      const auto prepared = prepare_post_partition(shape->layout(), post, 0, executor);
      ASSERT_TRUE(prepared) << prepared.error().describe();
      EXPECT_TRUE(
          std::ranges::equal(prepared->public_inputs, prepared->witness.inputs().subspan(1)));
      if (kind == PostKind::kWindow)
        (void)test::checked_abc_digest(*shape, prepared->witness, executor);
    }
  }
}

/// Ten slots of a WindowPoSt, each with a sector of its own: eight side by side equal eight alone.
class PostLanes : public testing::TestWithParam<const char*> {
 protected:
  struct Blocks {
    r1cs::PackedWitness witness;
    std::vector<Fr> computed;
  };

  PostLanes() {
    for (const VanillaPostSector& sector : post_.sectors) {
      slots_.push_back({&sector, sector.inclusions});
    }
  }
  /// The first eight blocks under an interpreter that fills `lanes` of them at once.
  template <class Fill>
  [[nodiscard]] Blocks run(std::size_t lanes, Fill&& fill) {
    const PostParams params = ten_slots();
    Blocks out{*r1cs::PackedWitness::create(post_shape("test", params)->layout()),
               std::vector<Fr>(slots_.size() * (params.challenges + 1))};
    const PostValuesView values{slots_, out.computed};
    const PostCircuit circuit(params, &values);
    for (std::size_t i = 0; i < r1cs::kWitnessLanes; i += lanes) {
      EXPECT_TRUE(fill(circuit, out.witness, i));
    }
    return out;
  }
  [[nodiscard]] Blocks side_by_side() {
    return run(r1cs::kWitnessLanes, [](PostCircuit circuit, auto& witness, std::size_t first) {
      r1cs::LaneWitnessBuilder::Slices slices;
      for (std::size_t k = 0; k < slices.size(); ++k) slices[k] = witness.block_slice(first + k);
      r1cs::LaneWitnessBuilder cs(slices);
      circuit.block(cs, {}, first);
      return cs.finish();
    });
  }
  [[nodiscard]] Blocks one_by_one() {
    return run(1, [](PostCircuit circuit, auto& witness, std::size_t i) {
      r1cs::WitnessBuilder cs(witness.block_slice(i));
      circuit.block(cs, {}, i);
      return cs.finish();
    });
  }
  [[nodiscard]] PostParams ten_slots() const {
    PostParams params = post_.config.params();
    params.sectors = static_cast<std::uint32_t>(slots_.size());
    return params;
  }

  Executor executor_{2};
  VanillaPost post_ = synthetic_post(
      {PostKind::kWindow, *find_sector(GetParam()), ApiVersion::kV1_2}, 10, 3, executor_);
  std::vector<PostSlotView> slots_;
};

TEST_P(PostLanes, EqualBlocksAlone) {
  const Blocks a = side_by_side();
  const Blocks b = one_by_one();
  EXPECT_EQ(a.computed, b.computed);
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const r1cs::WitnessPartView left = a.witness.block(k);
    const r1cs::WitnessPartView right = b.witness.block(k);
    EXPECT_TRUE(std::ranges::equal(left.inputs, right.inputs)) << k;
    EXPECT_TRUE(std::ranges::equal(left.bits, right.bits)) << k;
    EXPECT_TRUE(std::ranges::equal(left.fields, right.fields)) << k;
    EXPECT_EQ(left.fields.back().is_zero(), k >= r1cs::kWitnessLanes);
  }
}

TEST_P(PostLanes, LeaveAFaultInItsLaneAndChallenge) {
  const Blocks good = side_by_side();
  for (std::size_t k = 0; k < r1cs::kWitnessLanes; ++k) {
    Node& leaf = post_.sectors[k].inclusions[k + 1].leaf;
    const Node before = std::exchange(leaf, FrBytes(Fr::from_u64(77)));
    const Blocks bad = side_by_side();
    leaf = before;
    const std::size_t wrong = k * (kWindowChallenges + 1) + 1 + (k + 1);
    for (std::size_t i = 0; i < good.computed.size(); ++i) {
      ASSERT_EQ(good.computed[i] == bad.computed[i], i != wrong) << "lane " << k << ", value " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PostLanes, testing::Values("2KiB", "8MiB", "32GiB", "64GiB"));

}  // namespace
}  // namespace belfry::filecoin
