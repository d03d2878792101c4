// The PoSt circuits against the reference: sizes, digests, checkpoints, equal blocks.
#include <gtest/gtest.h>

#include <string>

#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/synthesize.h"
#include "filecoin/checkpoints.h"
#include "filecoin/recorded_circuit.h"
#include "filecoin/recorded_digests.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

CircuitCounts counts_of(const r1cs::Shape& shape) {
  return {shape.inputs(), shape.aux(), shape.constraints()};
}
CircuitCounts counts_of(simdjson::dom::element row) {
  return {test::number(row["inputs"]), test::number(row["aux"]), test::number(row["constraints"])};
}

TEST(PostShape, SizesOfEveryCircuit) {
  const test::JsonFile golden("filecoin/post-circuits.json");
  std::size_t count = 0;
  for (const auto row : golden["circuits"].get_array()) {
    SCOPED_TRACE(test::text(row["circuit"]));
    const auto circuit = find_circuit(test::text(row["circuit"]));
    ASSERT_TRUE(circuit);
    EXPECT_EQ(*circuit_counts(*circuit), counts_of(row));
    const auto shape = circuit_shape(*circuit);
    ASSERT_TRUE(shape) << shape.error().describe();
    EXPECT_EQ(shape->circuit_id(), circuit->name());
    test::expect_figures(*shape, row);
    ++count;
  }
  EXPECT_EQ(count, 10U);
}

TEST(PostShape, DigestsOfWinningAndSmallWindowCircuits) {
  const test::JsonFile golden("filecoin/post-circuits.json");
  std::size_t count = 0;
  for (const auto row : golden["circuits"].get_array()) {
    constexpr std::uint64_t kMostTerms = 10'000'000;
    if (test::number(row["terms_a"]) > kMostTerms) continue;  // in the slow suite
    const auto shape = circuit_shape(*find_circuit(test::text(row["circuit"])));
    ASSERT_TRUE(shape);
    test::expect_digests(*shape, row);
    ++count;
  }
  EXPECT_EQ(count, 8U);
}

TEST(PostShape, DigestsOfSmallAndPartialSystems) {
  const test::JsonFile golden("filecoin/post-circuits.json");
  std::size_t count = 0;
  for (const auto row : golden["small"].get_array()) {
    const PostParams params{test::recorded_tree(row), test::number(row["nodes"]),
                            static_cast<std::uint32_t>(test::number(row["sectors"])),
                            static_cast<std::uint32_t>(test::number(row["challenges"]))};
    const auto shape = post_shape("small", params);
    ASSERT_TRUE(shape) << shape.error().describe();
    EXPECT_EQ(counts_of(*shape), post_counts(params));
    test::expect_digests(*shape, row);
    ++count;
  }
  EXPECT_EQ(count, 6U);
}

/// "leaf 3 and its inclusion" -> "leaf and its inclusion": steps carry no numbers. The end of
/// a block is no step.
std::string post_step(const std::string& name) {
  if (name == "sector 0 (end)") return "";
  return name.find("and its inclusion") == std::string::npos ? name : "leaf and its inclusion";
}

TEST(PostShape, CheckpointsOfTwoKib) {
  r1cs::CheckpointSink sink;
  r1cs::ShapeBuilder cs(sink);
  const PostCircuit circuit(post_params(PostKind::kWindow, **find_sector("2KiB")));
  circuit.block(cs, PostCircuit::header(cs), 0);

  const test::JsonFile golden("filecoin/post-circuits.json");
  test::expect_checkpoints(sink, golden["checkpoints_window_2kib"], post_step);
}

TEST(PostShape, AllBlocksAreEqual) {
  // The whole synthesis, block by block: the recorder refuses a block that differs from the first.
  for (const PostParams& params :
       {PostParams{{8, 4, 2}, 512, 3, 5}, post_params(PostKind::kWinning, **find_sector("2KiB"))}) {
    r1cs::ShapeRecorder recorder;
    r1cs::ShapeBuilder cs(recorder);
    r1cs::synthesize(cs, PostCircuit(params));
    const auto whole = recorder.finish("whole", params.sectors);
    ASSERT_TRUE(whole) << whole.error().describe();
    EXPECT_EQ(r1cs::r1cs_digest(*whole), r1cs::r1cs_digest(*post_shape("part", params)));
  }
}

TEST(PostShape, RefusesWhatIsNoCircuit) {
  const PostParams good{{8, 0, 0}, 64, 2, 10};
  EXPECT_TRUE(check_post_params(good));
  for (const PostParams& bad : {PostParams{{8, 0, 0}, 63, 2, 10}, PostParams{{8, 2, 0}, 64, 2, 10},
                                PostParams{{8, 0, 0}, 64, 0, 10}, PostParams{{8, 0, 0}, 64, 2, 0},
                                PostParams{{0, 0, 0}, 64, 2, 10}, PostParams{{8, 0, 0}, 0, 2, 1}}) {
    const auto shape = post_shape("x", bad);
    ASSERT_FALSE(shape);
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
  }
}

}  // namespace
}  // namespace belfry::filecoin
