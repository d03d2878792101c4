#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "belfry/filecoin/update/circuit.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/synthesize.h"
#include "filecoin/checkpoints.h"
#include "filecoin/update_circuits.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

TEST(UpdateCounts, EverySize) {
  const test::JsonFile golden("filecoin/update-circuits.json");
  std::size_t count = 0;
  for (const auto row : golden["circuits"].get_array()) {
    const std::string name = test::text(row["circuit"]);
    const CircuitCounts expected{test::number(row["inputs"]), test::number(row["aux"]),
                                 test::number(row["constraints"])};
    EXPECT_EQ(update_counts(test::update_params_of(name)), expected) << name;
    ++count;
  }
  EXPECT_EQ(count, circuits(CircuitKind::kUpdate).size() + 2);
}

TEST(UpdateShape, RefusesWhatIsNoCircuit) {
  const UpdateParams good = update_params(**find_sector("2KiB"));
  EXPECT_TRUE(check_update_params(good));
  std::vector<UpdateParams> bad(9, good);
  bad[0].nodes = 63;
  bad[1].nodes = 0;
  bad[2].tree = {8, 2, 0};
  bad[3].partitions = 3;
  bad[4].apex_leaves = 64;
  bad[5].challenges = 0;
  bad[6].high_bits = 2;
  bad[7].high_bits = 7;
  bad[8].apex_leaves = 0;
  for (const UpdateParams& params : bad) {
    const auto shape = update_shape("x", params);
    ASSERT_FALSE(shape);
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
  }
}

/// "challenge 0: rho" -> "challenge: rho": steps carry no numbers.
std::string update_step(const std::string& name) {
  constexpr std::string_view kFirst = "challenge 0: ";
  return name.starts_with(kFirst) ? "challenge: " + name.substr(kFirst.size()) : name;
}

TEST(UpdateShape, CheckpointsOfTwoKib) {
  r1cs::CheckpointSink sink;
  r1cs::ShapeBuilder cs(sink);
  const UpdateCircuit circuit(update_params(**find_sector("2KiB")));
  circuit.block(cs, circuit.header(cs), 0);

  const test::JsonFile golden("filecoin/update-circuits.json");
  test::expect_checkpoints(sink, golden["checkpoints_2kib"], update_step);
}

void expect_counts(simdjson::dom::element golden, const r1cs::PartCounts& counts) {
  EXPECT_EQ(counts.inputs, test::number(golden["inputs"]));
  EXPECT_EQ(counts.aux, test::number(golden["aux"]));
  EXPECT_EQ(counts.constraints, test::number(golden["constraints"]));
}

TEST(UpdateShape, TwoKibEqualsTheReference) {
  const r1cs::Shape shape = test::expect_update_shape("update-2KiB");
  const test::JsonFile golden("filecoin/update-circuits.json");
  expect_counts(golden["block_2kib"]["header"], shape.header().counts);
  expect_counts(golden["block_2kib"]["block"], shape.block().counts);
  EXPECT_EQ(shape.blocks(), test::number(golden["block_2kib"]["blocks"]));
}

TEST(UpdateShape, AllBlocksAreEqualButForTheirBits) {
  // The whole synthesis, block by block: the recorder refuses a block that differs from the first
  // in more than which header variables it sees, and tells which those are.
  const UpdateCircuit circuit(test::update_params_of("update-1KiB"));
  r1cs::ShapeRecorder recorder;
  r1cs::ShapeBuilder cs(recorder);
  r1cs::synthesize(cs, circuit);
  const auto whole = recorder.finish("whole", circuit.blocks());
  const auto first = r1cs::extract_shape("first", circuit);
  ASSERT_TRUE(whole && first);
  EXPECT_TRUE(std::ranges::equal(whole->view().bindings, first->view().bindings));
  EXPECT_EQ(whole->dense_a_aux(), first->dense_a_aux());
  EXPECT_EQ(whole->dense_b_aux(), first->dense_b_aux());
}

}  // namespace
}  // namespace belfry::filecoin
