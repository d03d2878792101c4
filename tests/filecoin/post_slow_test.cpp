// Digests of the large WindowPoSt circuits, streamed from one block: about a minute each.
#include <gtest/gtest.h>

#include "belfry/filecoin/circuits.h"
#include "filecoin/recorded_digests.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

class LargePosts : public testing::TestWithParam<const char*> {};

TEST_P(LargePosts, DigestEqualsTheReference) {
  const test::JsonFile golden("filecoin/post-circuits.json");
  bool found = false;
  for (const auto row : golden["circuits"].get_array()) {
    if (test::text(row["circuit"]) != GetParam()) continue;
    found = true;
    const auto shape = circuit_shape(*find_circuit(GetParam()));
    ASSERT_TRUE(shape) << shape.error().describe();
    test::expect_digests(*shape, row);
  }
  EXPECT_TRUE(found);
}

INSTANTIATE_TEST_SUITE_P(Vectors, LargePosts, testing::Values("window-32GiB", "window-64GiB"));

}  // namespace
}  // namespace belfry::filecoin
