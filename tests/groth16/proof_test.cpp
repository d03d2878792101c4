#include "belfry/groth16/proof.h"

#include "groth16/support.h"
#include "reference/slow_field.h"
#include "support/whole_error.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using test::Bytes;

Bytes good_proof() { return read_vector("mini/tiny/proof.bin"); }

TEST(ProofEncoding, RoundTrip) {
  const Bytes bytes = good_proof();
  const ProofBytes again = encode(test::value_of(parse_proof(bytes)));
  EXPECT_EQ(Bytes(again.begin(), again.end()), bytes);
}

TEST(ProofEncoding, OnlyTheExactLengthIsRead) {
  Bytes bytes = good_proof();
  for (const std::size_t size : {0u, 1u, 48u, 191u, 193u, 384u}) {
    Bytes other = bytes;
    other.resize(size);
    const auto parsed = parse_proof(other, "p.bin");
    ASSERT_FALSE(parsed) << size;
    belfry::test::expect_whole_error(parsed.error(), std::to_string(size));
    EXPECT_EQ(parsed.error().file, "p.bin");
    EXPECT_EQ(parsed.error().offset, std::min<std::size_t>(size, 192));
  }
  Bytes two = bytes;
  two.insert(two.end(), bytes.begin(), bytes.end());
  EXPECT_TRUE(parse_proofs(two, 2));
  EXPECT_FALSE(parse_proofs(two, 1));
  EXPECT_FALSE(parse_proofs(two, 3));
  EXPECT_FALSE(parse_proofs(bytes, SIZE_MAX));
  EXPECT_TRUE(parse_proofs({}, 0));
}

/// The points of a proof: where they begin and how long they are.
constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kPoints{
    {{0, 48}, {48, 96}, {144, 48}}};
constexpr std::array<std::string_view, 3> kNames{"A", "B", "C"};

TEST(ProofEncoding, InfinityIsRefusedForEachPoint) {
  for (std::size_t k = 0; k < kPoints.size(); ++k) {
    Bytes bytes = good_proof();
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(kPoints[k].first);
    std::fill_n(at, kPoints[k].second, 0);
    *at = 0xc0;
    const auto parsed = parse_proof(bytes, "p.bin");
    ASSERT_FALSE(parsed);
    belfry::test::expect_whole_error(parsed.error());
    EXPECT_EQ(parsed.error().message, "point at infinity");
    EXPECT_EQ(parsed.error().section, kNames[k]);
    EXPECT_EQ(parsed.error().offset, kPoints[k].first);
  }
}

TEST(ProofEncoding, PointsOffTheCurveOrOutsideTheSubgroupAreRefused) {
  // A small x is on the curve half of the time, and then almost never in the subgroup: the share
  // of that is 1/cofactor.
  for (std::size_t k = 0; k < kPoints.size(); ++k) {
    const auto [at, size] = kPoints[k];
    int outside = 0;
    int off = 0;
    for (std::uint8_t x = 1; x < 20; ++x) {
      Bytes bytes = good_proof();
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size, 0);
      bytes[at] = 0x80;
      bytes[at + size - 1] = x;
      const auto parsed = parse_proof(bytes);
      ASSERT_FALSE(parsed);
      EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
      EXPECT_EQ(parsed.error().section, kNames[k]);
      EXPECT_EQ(parsed.error().offset, at);
      if (parsed.error().found.find("subgroup") != std::string::npos) ++outside;
      if (parsed.error().found.find("curve") != std::string::npos) ++off;
    }
    EXPECT_GT(outside, 3) << kNames[k];
    EXPECT_GT(off, 3) << kNames[k];
    EXPECT_EQ(outside + off, 19) << kNames[k];
  }
}

TEST(ProofEncoding, FlagsAndCoordinatesHaveOneForm) {
  const Bytes modulus = from_hex(belfry::reference::FpPrime::kHex).value();
  for (std::size_t k = 0; k < kPoints.size(); ++k) {
    const std::size_t at = kPoints[k].first;
    Bytes uncompressed = good_proof();
    uncompressed[at] &= 0x7f;
    Bytes infinity = good_proof();
    infinity[at] |= 0x40;
    Bytes unreduced = good_proof();
    std::copy(modulus.begin(), modulus.end(), unreduced.begin() + static_cast<std::ptrdiff_t>(at));
    unreduced[at] |= 0x80;
    for (const Bytes& bytes : {uncompressed, infinity, unreduced}) {
      const auto parsed = parse_proof(bytes);
      ASSERT_FALSE(parsed) << kNames[k];
      EXPECT_EQ(parsed.error().section, kNames[k]);
      EXPECT_EQ(parsed.error().offset, at);
      EXPECT_FALSE(parsed.error().found.empty());
    }
  }
}

TEST(ProofEncoding, TheBadPartitionIsNamed) {
  Bytes bytes = good_proof();
  const Bytes one = bytes;
  bytes.insert(bytes.end(), one.begin(), one.end());
  bytes[192 + 48] &= 0x7f;
  const auto parsed = parse_proofs(bytes, 2, "p.bin");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().file, "p.bin");
  EXPECT_EQ(parsed.error().section, "proof 1, B");
  EXPECT_EQ(parsed.error().offset, 240u);
}

}  // namespace
}  // namespace belfry::groth16
