#include "belfry/groth16/proof.h"

#include "groth16/support.h"

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
    const auto parsed = parse_proof(other);
    ASSERT_FALSE(parsed) << size;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidInput);
  }
  Bytes two = bytes;
  two.insert(two.end(), bytes.begin(), bytes.end());
  EXPECT_TRUE(parse_proofs(two, 2));
  EXPECT_FALSE(parse_proofs(two, 1));
  EXPECT_FALSE(parse_proofs(two, 3));
  EXPECT_FALSE(parse_proofs(bytes, SIZE_MAX));
  EXPECT_TRUE(parse_proofs({}, 0));
}

TEST(ProofEncoding, InfinityIsRefusedForEachPoint) {
  constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kPoints{
      {{0, 48}, {48, 96}, {144, 48}}};
  constexpr std::array<std::string_view, 3> kNames{"A", "B", "C"};
  for (std::size_t k = 0; k < kPoints.size(); ++k) {
    Bytes bytes = good_proof();
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(kPoints[k].first);
    std::fill_n(at, kPoints[k].second, 0);
    *at = 0xc0;
    const auto parsed = parse_proof(bytes);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().message, "point at infinity");
    EXPECT_EQ(parsed.error().section, kNames[k]);
    EXPECT_EQ(parsed.error().offset, kPoints[k].first);
  }
}

TEST(ProofEncoding, PointsOutsideTheSubgroupAreRefused) {
  // The first x of a curve point is almost never one of the subgroup: its share is 1/cofactor.
  int refused = 0;
  for (std::uint8_t x = 1; x < 40; ++x) {
    Bytes bytes = good_proof();
    std::fill_n(bytes.begin(), 48, 0);
    bytes[0] = 0x80;
    bytes[47] = x;
    const auto parsed = parse_proof(bytes);
    ASSERT_FALSE(parsed);
    if (parsed.error().found.find("subgroup") != std::string::npos) ++refused;
  }
  EXPECT_GT(refused, 10);
}

TEST(ProofEncoding, TheBadPartitionIsNamed) {
  Bytes bytes = good_proof();
  const Bytes one = bytes;
  bytes.insert(bytes.end(), one.begin(), one.end());
  bytes[192 + 48] &= 0x7f;
  const auto parsed = parse_proofs(bytes, 2);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().section, "proof 1, B");
  EXPECT_EQ(parsed.error().offset, 240u);
}

}  // namespace
}  // namespace belfry::groth16
