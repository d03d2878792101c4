#include <gtest/gtest.h>

#include "belfry/curve/encoding.h"
#include "belfry/curve/gt_encoding.h"
#include "belfry/curve/multiply.h"
#include "belfry/curve/pairing.h"
#include "support/points.h"

namespace belfry::curve {
namespace {

template <class Point>
void expect_point(const Point& point, simdjson::dom::element entry, const std::string& name) {
  EXPECT_EQ(to_hex(encode(point)), test::text(entry[name]));
  EXPECT_EQ(to_hex(encode_compressed(point)), test::text(entry[name + "_compressed"]));
  const auto doubled = Jacobian<typename Point::Group>::from_affine(point).doubled().to_affine();
  EXPECT_EQ(to_hex(encode(doubled)), test::text(entry[name + "_double"]));
  const auto whole = test::hex_bytes(entry[name]);
  EXPECT_EQ(decode<Point>(std::span(whole).template first<kUncompressedSize<Point>>()), point);
  const auto small = test::hex_bytes(entry[name + "_compressed"]);
  EXPECT_EQ(decode_compressed<Point>(std::span(small).template first<kCompressedSize<Point>>()),
            point);
}

TEST(Points, EqualTheRecordedOnes) {
  const test::JsonFile file("primitives.json");
  std::size_t count = 0;
  for (auto entry : file["points"].get_array()) {
    const Fr k = test::fr_from_big_endian(entry["k"].value());
    expect_point(multiply(G1Affine::generator(), k).to_affine(), entry, "g1");
    expect_point(multiply(G2Affine::generator(), k).to_affine(), entry, "g2");
    ++count;
  }
  EXPECT_EQ(count, 8U);
}

TEST(Pairing, EqualsTheRecordedValues) {
  const test::JsonFile file("primitives.json");
  std::size_t count = 0;
  for (auto entry : file["pairing"].get_array()) {
    const Fr a = test::fr_from_big_endian(entry["a"].value());
    const Fr b = test::fr_from_big_endian(entry["b"].value());
    const Gt value = pairing(multiply(G1Affine::generator(), a).to_affine(),
                             multiply(G2Affine::generator(), b).to_affine());
    const auto bytes = test::hex_bytes(entry["gt_compressed"]);
    EXPECT_EQ(to_hex(encode_compressed(value).value()), to_hex(bytes));
    EXPECT_EQ(decode_gt_compressed(std::span(bytes).first<kGtCompressedSize>()), value);
    ++count;
  }
  EXPECT_EQ(count, 4U);
}

}  // namespace
}  // namespace belfry::curve
