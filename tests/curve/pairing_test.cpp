#include "belfry/curve/pairing.h"

#include <gtest/gtest.h>

#include <random>

#include "belfry/curve/gt_encoding.h"
#include "belfry/curve/multiply.h"
#include "support/vectors.h"

namespace belfry::curve {
namespace {

G1Affine g1_times(const Fr& k) { return multiply(G1Affine::generator(), k).to_affine(); }
G2Affine g2_times(const Fr& k) { return multiply(G2Affine::generator(), k).to_affine(); }

TEST(Pairing, EqualsTheRecordedValues) {
  const test::JsonFile file("primitives.json");
  std::size_t count = 0;
  for (auto entry : file["pairing"].get_array()) {
    const Fr a = test::fr_from_big_endian(entry["a"].value());
    const Fr b = test::fr_from_big_endian(entry["b"].value());
    const Gt value = pairing(g1_times(a), g2_times(b));
    const auto bytes = encode_compressed(value);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_EQ(to_hex(*bytes), test::text(entry["gt_compressed"]));
    EXPECT_EQ(pairing(G1Affine::generator(), G2Affine::generator()).pow(a * b), value);
    ++count;
  }
  EXPECT_EQ(count, 4U);
}

}  // namespace
}  // namespace belfry::curve
