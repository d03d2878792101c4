#include "belfry/curve/encoding.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "belfry/curve/multiply.h"
#include "belfry/curve/subgroup.h"
#include "support/points.h"

namespace belfry::curve {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <class Point>
auto uncompressed(const Bytes& bytes) {
  return std::span(bytes).template first<kUncompressedSize<Point>>();
}
template <class Point>
auto compressed(const Bytes& bytes) {
  return std::span(bytes).template first<kCompressedSize<Point>>();
}
template <std::size_t N>
Bytes to_bytes(const std::array<std::uint8_t, N>& array) {
  return {array.begin(), array.end()};
}

template <class Point>
class Encoding : public testing::Test {
 protected:
  std::mt19937_64 rng_{41};
  Point in_group() { return multiply(Point::generator(), test::random_fr(rng_)).to_affine(); }

  void expect_fault(const Bytes& bytes, PointFault fault) {
    SCOPED_TRACE(to_hex(bytes));
    if (bytes.size() == kUncompressedSize<Point>) {
      EXPECT_EQ(decode_unchecked<Point>(uncompressed<Point>(bytes)), tl::unexpected(fault));
      EXPECT_EQ(decode<Point>(uncompressed<Point>(bytes)), tl::unexpected(fault));
    } else {
      EXPECT_EQ(decode_compressed_unchecked<Point>(compressed<Point>(bytes)),
                tl::unexpected(fault));
      EXPECT_EQ(decode_compressed<Point>(compressed<Point>(bytes)), tl::unexpected(fault));
    }
  }
};
using Points = testing::Types<G1Affine, G2Affine>;
TYPED_TEST_SUITE(Encoding, Points);

TYPED_TEST(Encoding, RoundTrips) {
  for (int i = 0; i < 20; ++i) {
    const auto inside = this->in_group();
    const auto anywhere = test::random_curve_point<typename TypeParam::Group>(this->rng_);
    for (const auto& p : {inside, -inside, TypeParam::infinity()}) {
      EXPECT_EQ(decode<TypeParam>(encode(p)), p);
      EXPECT_EQ(decode_unchecked<TypeParam>(encode(p)), p);
      EXPECT_EQ(decode_compressed<TypeParam>(encode_compressed(p)), p);
      EXPECT_EQ(decode_compressed_unchecked<TypeParam>(encode_compressed(p)), p);
    }
    EXPECT_EQ(decode_unchecked<TypeParam>(encode(anywhere)), anywhere);
    EXPECT_EQ(decode_compressed_unchecked<TypeParam>(encode_compressed(-anywhere)), -anywhere);
    const auto outside = tl::unexpected(PointFault::kNotInSubgroup);
    EXPECT_EQ(decode<TypeParam>(encode(anywhere)), outside);
    EXPECT_EQ(decode_compressed<TypeParam>(encode_compressed(anywhere)), outside);
  }
}

TYPED_TEST(Encoding, InfinityIsOneFlagAndZeros) {
  Bytes bytes(kUncompressedSize<TypeParam>);
  bytes[0] = 0x40;
  EXPECT_EQ(to_bytes(encode(TypeParam::infinity())), bytes);
  Bytes small(kCompressedSize<TypeParam>);
  small[0] = 0xc0;
  EXPECT_EQ(to_bytes(encode_compressed(TypeParam::infinity())), small);
}

TYPED_TEST(Encoding, InfinityWithAnyOtherBitIsRefused) {
  for (std::size_t i = 0; i < kUncompressedSize<TypeParam>; ++i) {
    Bytes bytes(kUncompressedSize<TypeParam>);
    bytes[0] = 0x40;
    bytes[i] = static_cast<std::uint8_t>(bytes[i] | (i == 0 ? 0x10 : 0x01));
    this->expect_fault(bytes, PointFault::kInfinityBits);
    if (i >= kCompressedSize<TypeParam>) continue;
    bytes.resize(kCompressedSize<TypeParam>);
    bytes[0] |= 0x80;
    this->expect_fault(bytes, PointFault::kInfinityBits);
  }
  Bytes sign(kUncompressedSize<TypeParam>);
  sign[0] = 0x60;
  this->expect_fault(sign, PointFault::kSignFlag);
  sign.resize(kCompressedSize<TypeParam>);
  sign[0] = 0xe0;
  this->expect_fault(sign, PointFault::kSignFlag);
}

TYPED_TEST(Encoding, FlagsMustFitTheForm) {
  const auto p = this->in_group();
  for (const int flags : {0x80, 0xa0, 0xc0, 0xe0}) {
    Bytes bytes = to_bytes(encode(p));
    bytes[0] = static_cast<std::uint8_t>(bytes[0] | flags);
    this->expect_fault(bytes, PointFault::kCompressionFlag);
  }
  Bytes sign = to_bytes(encode(p));
  sign[0] |= 0x20;
  this->expect_fault(sign, PointFault::kSignFlag);
  Bytes infinity = to_bytes(encode(p));
  infinity[0] |= 0x40;
  this->expect_fault(infinity, PointFault::kInfinityBits);
  Bytes small = to_bytes(encode_compressed(p));
  small[0] &= 0x7f;
  this->expect_fault(small, PointFault::kCompressionFlag);
}

TYPED_TEST(Encoding, CoordinatesMustBeCanonical) {
  const Bytes modulus = from_hex(reference::FpPrime::kHex).value();
  const auto p = this->in_group();
  for (std::size_t at = 0; at < kUncompressedSize<TypeParam>; at += FpBytes::kSize) {
    Bytes bytes = to_bytes(encode(p));
    std::ranges::copy(modulus, bytes.begin() + static_cast<std::ptrdiff_t>(at));
    this->expect_fault(bytes, PointFault::kCoordinateRange);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), FpBytes::kSize, 0xff);
    bytes[at] = at == 0 ? 0x1f : 0xff;
    this->expect_fault(bytes, PointFault::kCoordinateRange);
    if (at >= kCompressedSize<TypeParam>) continue;
    Bytes small = to_bytes(encode_compressed(p));
    std::ranges::copy(modulus, small.begin() + static_cast<std::ptrdiff_t>(at));
    small[0] |= 0x80;
    this->expect_fault(small, PointFault::kCoordinateRange);
  }
}

TYPED_TEST(Encoding, PointsMustLieOnTheCurve) {
  Bytes bytes = to_bytes(encode(this->in_group()));
  bytes.back() ^= 1;
  this->expect_fault(bytes, PointFault::kNotOnCurve);
  this->expect_fault(Bytes(kUncompressedSize<TypeParam>), PointFault::kNotOnCurve);
  // About half of all x have no y.
  int refused = 0;
  Bytes small(kCompressedSize<TypeParam>);
  for (std::uint8_t x = 1; x < 40; ++x) {
    small[0] = 0x80;
    small.back() = x;
    const auto p = decode_compressed_unchecked<TypeParam>(compressed<TypeParam>(small));
    if (p) {
      EXPECT_TRUE(p->is_on_curve());
      continue;
    }
    EXPECT_EQ(p.error(), PointFault::kNotOnCurve);
    ++refused;
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(refused, 30);
}

TYPED_TEST(Encoding, EveryBitMatters) {
  const auto p = this->in_group();
  const Bytes whole = to_bytes(encode(p));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes changed = whole;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1 << (bit % 8));
    EXPECT_FALSE(decode_unchecked<TypeParam>(uncompressed<TypeParam>(changed)).has_value()) << bit;
  }
}

TYPED_TEST(Encoding, FaultsHaveTexts) {
  EXPECT_EQ(describe(PointFault::kNotOnCurve), "not on the curve");
  EXPECT_NE(describe(PointFault::kCompressionFlag), describe(PointFault::kSignFlag));
}

// As blst: (0, ±2) is on the curve, has order 3, and is refused even where the subgroup is not
// tested.
TEST(EncodingG1, RefusesXZeroWithoutASubgroupTest) {
  const G1Affine p{Fp::zero(), Fp::from_u64(2)};
  ASSERT_TRUE(p.is_on_curve());
  const auto expected = tl::unexpected(PointFault::kNotInSubgroup);
  EXPECT_EQ(decode_unchecked<G1Affine>(encode(p)), expected);
  EXPECT_EQ(decode_unchecked<G1Affine>(encode(-p)), expected);
  EXPECT_EQ(decode_compressed_unchecked<G1Affine>(encode_compressed(p)), expected);
}

// The sign of y = c0 + c1·u is that of c1 unless c1 = 0. Encoding never looks at the equation, so
// any x serves.
TEST(EncodingG2, SignLooksAtC0OnlyIfC1IsZero) {
  std::mt19937_64 rng(42);
  const auto is_larger = [](const Fp& y) { return FpBytes(y).bytes() > FpBytes(-y).bytes(); };
  const auto sign = [&](const Fp2& y) {
    return (encode_compressed(G2Affine{test::random_element<Fp2>(rng), y})[0] & 0x20) != 0;
  };
  for (int i = 0; i < 50; ++i) {
    const Fp a = test::random_element<Fp>(rng);
    const Fp b = test::random_element<Fp>(rng);
    EXPECT_EQ(sign({a, Fp::zero()}), is_larger(a));
    EXPECT_EQ(sign({Fp::zero(), b}), is_larger(b));
    EXPECT_EQ(sign({a, b}), is_larger(b));
    EXPECT_NE(sign({a, b}), sign({-a, -b}));
  }
  // The two integers in the middle.
  const Fp half = Fp::from_canonical(field::FpParams::kHalfModulus);
  EXPECT_FALSE(sign({half, Fp::zero()}));
  EXPECT_TRUE(sign({half + Fp::one(), Fp::zero()}));
}

TEST(EncodingVectors, GeneratorsHaveTheirWellKnownForms) {
  EXPECT_EQ(to_hex(encode(G1Affine::generator())),
            "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af0"
            "0adb22c6bb"
            "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa23"
            "2946c5e7e1");
  EXPECT_EQ(to_hex(encode_compressed(G1Affine::generator())),
            "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af0"
            "0adb22c6bb");
  EXPECT_EQ(to_hex(encode_compressed(-G1Affine::generator())).substr(0, 8), "b7f1d3a7");
  EXPECT_EQ(to_hex(encode_compressed(G2Affine::generator())),
            "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d"
            "055d042b7e"
            "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056"
            "c8c121bdb8");
  EXPECT_EQ(to_hex(encode(G2Affine::generator())).substr(2 * kCompressedSize<G2Affine>),
            "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa907"
            "5ff05f79be"
            "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e19354"
            "8608b82801");
}

}  // namespace
}  // namespace belfry::curve
