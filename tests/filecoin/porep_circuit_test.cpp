#include <gtest/gtest.h>

#include <string>

#include "belfry/filecoin/porep/circuit.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/synthesize.h"
#include "filecoin/checkpoints.h"
#include "filecoin/recorded_circuit.h"
#include "filecoin/recorded_digests.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

TEST(PorepCounts, EveryPublishedSize) {
  const test::JsonFile golden("filecoin/porep-circuits.json");
  std::size_t count = 0;
  for (const auto row : golden["circuits"].get_array()) {
    const auto circuit = find_circuit(test::text(row["circuit"]));
    ASSERT_TRUE(circuit);
    const CircuitCounts expected{test::number(row["inputs"]), test::number(row["aux"]),
                                 test::number(row["constraints"])};
    EXPECT_EQ(porep_counts(porep_params(*circuit->sector)), expected) << circuit->name();
    ++count;
  }
  EXPECT_EQ(count, sector_table().size());
}

TEST(PorepShape, RefusesWhatIsNoCircuit) {
  const PorepParams good{{8, 0, 0}, 64, 2, 2};
  EXPECT_TRUE(check_porep_params(good));
  for (const PorepParams& bad :
       {PorepParams{{8, 0, 0}, 63, 2, 2}, PorepParams{{8, 2, 0}, 64, 2, 2},
        PorepParams{{8, 0, 0}, 64, 3, 2}, PorepParams{{8, 0, 0}, 64, 2, 0},
        PorepParams{{0, 0, 0}, 64, 2, 2}, PorepParams{{8, 0, 0}, 0, 2, 2}}) {
    const auto shape = porep_shape("x", bad);
    ASSERT_FALSE(shape);
    EXPECT_EQ(shape.error().code, ErrorCode::kInvalidUsage);
  }
}

TEST(PorepShape, SmallAndOneChallengeSystems) {
  const test::JsonFile golden("filecoin/porep-circuits.json");
  std::size_t count = 0;
  for (const auto row : golden["small"].get_array()) {
    const PorepParams params{test::recorded_tree(row), test::number(row["nodes"]),
                             static_cast<std::uint32_t>(test::number(row["layers"])), 1};
    const auto shape = porep_shape("small", params);
    ASSERT_TRUE(shape) << shape.error().describe();
    SCOPED_TRACE(std::to_string(params.nodes));
    const CircuitCounts expected = porep_counts(params);
    EXPECT_EQ((CircuitCounts{shape->inputs(), shape->aux(), shape->constraints()}), expected);
    // The slow tests compare the CS hash of the large sizes, all challenges included.
    constexpr std::uint64_t kMostNodes = 1 << 20;
    if (params.nodes < kMostNodes) {
      test::expect_digests(*shape, row);
    } else {
      EXPECT_EQ(to_hex(r1cs::r1cs_digest(*shape)), test::text(row["r1cs_digest"]));
    }
    ++count;
  }
  EXPECT_EQ(count, 6U);
}

class PorepSizes : public testing::TestWithParam<const char*> {};

TEST_P(PorepSizes, ShapeEqualsTheReference) {
  const test::JsonFile golden("filecoin/porep-circuits.json");
  bool found = false;
  for (const auto row : golden["circuits"].get_array()) {
    if (test::text(row["circuit"]) != GetParam()) continue;
    found = true;
    const auto shape = porep_shape(*find_circuit(GetParam())->sector);
    ASSERT_TRUE(shape) << shape.error().describe();
    EXPECT_EQ(shape->circuit_id(), GetParam());
    test::expect_figures(*shape, row);
    EXPECT_EQ(to_hex(r1cs::r1cs_digest(*shape)), test::text(row["r1cs_digest"]));
  }
  EXPECT_TRUE(found);
}

INSTANTIATE_TEST_SUITE_P(Vectors, PorepSizes,
                         testing::Values("porep-2KiB", "porep-4KiB", "porep-16KiB", "porep-32KiB",
                                         "porep-8MiB", "porep-16MiB", "porep-512MiB",
                                         "porep-1GiB"));

/// "DRG parent 3: column hash" -> "parent: column hash": steps carry no numbers. The end of a block
/// is no step.
std::string porep_step(std::string name) {
  if (name == "challenge 0 (end)") return "";
  for (const char* family : {"DRG parent ", "EXP parent "}) {
    if (name.starts_with(family))
      return "parent" + name.substr(std::string_view(family).size() + 1);
  }
  if (name == "equality with comm_r, then alloc data leaf") return "alloc data leaf";
  if (name == "64 node bits") return "node bits";
  return name.starts_with("label, layer") ? "label, layer" : name;
}

TEST(PorepShape, CheckpointsOfTwoKib) {
  r1cs::CheckpointSink sink;
  r1cs::ShapeBuilder cs(sink);
  const PorepCircuit circuit(porep_params(**find_sector("2KiB")));
  circuit.block(cs, circuit.header(cs), 0);

  const test::JsonFile golden("filecoin/porep-circuits.json");
  test::expect_checkpoints(sink, golden["checkpoints_porep_2kib"], porep_step);
}

TEST(PorepShape, AllBlocksAreEqual) {
  // The whole synthesis, block by block: the recorder refuses a block that differs from the first.
  r1cs::ShapeRecorder recorder;
  r1cs::ShapeBuilder cs(recorder);
  const PorepCircuit circuit(PorepParams{{8, 0, 0}, 8, 2, 2});
  r1cs::synthesize(cs, circuit);
  EXPECT_TRUE(recorder.finish("whole", 2));
}

}  // namespace
}  // namespace belfry::filecoin
