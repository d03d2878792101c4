#include <gtest/gtest.h>

#include "belfry/filecoin/porep/circuit.h"
#include "filecoin/recorded_circuit.h"
#include "filecoin/recorded_digests.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

class PorepLargeSizes : public testing::TestWithParam<const char*> {};

TEST_P(PorepLargeSizes, WholeDigestEqualsTheReference) {
  const test::JsonFile golden("filecoin/porep-circuits.json");
  for (const auto row : golden["circuits"].get_array()) {
    if (test::text(row["circuit"]) != GetParam()) continue;
    const auto shape = porep_shape(*find_circuit(GetParam())->sector);
    ASSERT_TRUE(shape) << shape.error().describe();
    test::expect_figures(*shape, row);
    test::expect_digests(*shape, row);
    return;
  }
  FAIL() << "no such row";
}

INSTANTIATE_TEST_SUITE_P(Slow, PorepLargeSizes, testing::Values("porep-32GiB", "porep-64GiB"));

}  // namespace
}  // namespace belfry::filecoin
