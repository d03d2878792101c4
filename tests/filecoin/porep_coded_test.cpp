#include <gtest/gtest.h>

#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/porep/circuit.h"
#include "support/coded_product.h"
#include "support/random_system.h"

namespace belfry::filecoin {
namespace {

// Random values in place of a proof's: they reach every term.
TEST(PorepCoded, DeviceFormMultipliesTheRealShape) {
  const auto shape = porep_shape(**find_sector("2KiB"));
  ASSERT_TRUE(shape) << shape.error().describe();
  test::expect_coded_products(*shape, test::random_witness(shape->layout(), 2));
}

}  // namespace
}  // namespace belfry::filecoin
