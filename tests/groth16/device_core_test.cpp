// What a device prover does before its sums, run on the CPU worker by worker.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "belfry/curve/encoding.h"
#include "belfry/curve/multiply.h"
#include "belfry/groth16/params/decode_core.h"
#include "belfry/groth16/prove/query_masks.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/groth16/prove/witness_selection.h"
#include "belfry/r1cs/aux_values.h"
#include "groth16/blocks_system.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

template <class Curve>
class DecodingFinitePoints : public testing::Test {
 protected:
  using Affine = typename Curve::Affine;
  using Encoded = std::array<std::uint8_t, curve::kUncompressedSize<Affine>>;

  /// The device's verdict must be the host's; the points equal.
  void compare(const Encoded& bytes) {
    std::array<std::uint64_t, sizeof(Encoded) / 8> words;
    std::memcpy(words.data(), bytes.data(), sizeof(Encoded));
    Affine found;
    const bool accepted = core::decode_finite<Curve>(words.data(), found);
    const auto expected = curve::decode_unchecked<Affine>(std::span(bytes));
    ASSERT_EQ(accepted, expected && !expected->is_infinity());
    if (accepted) {
      EXPECT_EQ(found, *expected);
    }
  }
};
using Curves = testing::Types<curve::G1, curve::G2>;
TYPED_TEST_SUITE(DecodingFinitePoints, Curves);

TYPED_TEST(DecodingFinitePoints, AgreesWithTheHostOnGoodAndBadPoints) {
  using Point = typename TypeParam::Affine;
  std::mt19937_64 rng(3);
  for (int round = 0; round < 20; ++round) {
    const auto point =
        curve::multiply(Point::generator(), belfry::test::random_fr(rng)).to_affine();
    auto bytes = curve::encode(point);
    this->compare(bytes);
    bytes[rng() % bytes.size()] ^= static_cast<std::uint8_t>(1u << (rng() % 8));
    this->compare(bytes);
  }
  auto bytes = curve::encode(Point::generator());
  for (const unsigned flag : {0x80u, 0x40u, 0x20u}) {
    auto flagged = bytes;
    flagged[0] |= static_cast<std::uint8_t>(flag);
    this->compare(flagged);
  }
  this->compare(curve::encode(Point::infinity()));
  this->compare({});
  bytes.fill(0xff);
  this->compare(bytes);
}

TYPED_TEST(DecodingFinitePoints, RefusesCoordinatesThatAreNotReduced) {
  using Point = typename TypeParam::Affine;
  // x + p of the generator's first coordinate, where it fits: the same element, another encoding.
  auto bytes = curve::encode(Point::generator());
  unsigned carry = 0;
  for (std::size_t i = 48; i-- > 0;) {
    const std::uint64_t limb = field::FpParams::kModulus[(47 - i) / 8];
    carry += bytes[i] + static_cast<unsigned>((limb >> (8 * ((47 - i) % 8))) & 0xff);
    bytes[i] = static_cast<std::uint8_t>(carry);
    carry >>= 8;
  }
  ASSERT_EQ(carry, 0u);
  this->compare(bytes);
}

TEST(DecodingFinitePoints, RefusesThePointsOfOrderThree) {
  // (0, 2) and (0, -2) of y² = x³ + 4.
  curve::G1Affine point{Fp::zero(), Fp::from_u64(2)};
  ASSERT_TRUE(point.is_on_curve());
  const auto bytes = curve::encode(point);
  std::array<std::uint64_t, 12> words;
  std::memcpy(words.data(), bytes.data(), bytes.size());
  EXPECT_FALSE(core::decode_finite<curve::G1>(words.data(), point));
}

TEST(ExtractingBits, MovesThemTogether) {
  EXPECT_EQ(core::extract_bits(0b1011'0110, 0b1101'0010), 0b1011u);
  EXPECT_EQ(core::extract_bits(~std::uint64_t{0}, ~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_EQ(core::extract_bits(~std::uint64_t{0}, 0), 0u);
  EXPECT_EQ(core::extract_bits(std::uint64_t{1} << 63, std::uint64_t{1} << 63), 1u);
}

/// All masks as a device makes them.
std::array<std::vector<std::uint64_t>, core::kQueries> masks_of(
    const r1cs::Shape& shape, const r1cs::PackedWitness& witness,
    const std::array<std::size_t, core::kQueries>& words) {
  std::array<std::vector<std::uint64_t>, core::kQueries> masks;
  for (std::size_t q = 0; q < core::kQueries; ++q) masks[q].resize(words[q]);
  const auto add = [&masks](const r1cs::PartView& part, std::span<const std::uint64_t> bits,
                            const core::FirstPoints& first) {
    const PartMaskTables tables(part);
    const auto ones = r1cs::ones_bitmap(part, bits);
    for (std::uint32_t word = 0; word < tables.words; ++word) {
      core::select_word(word, ones[word], tables.view(), first,
                        [&masks](std::size_t query, std::uint64_t i, std::uint64_t added) {
                          masks[query].at(i) |= added;
                        });
    }
  };
  const PointOffsets offsets(shape, QuotientBasis::kCoefficients);
  add(shape.header(), witness.header().bits, offsets.header);
  for (std::uint64_t k = 0; k < shape.blocks(); ++k) {
    add(shape.block(), witness.block(k).bits, offsets.block(k));
  }
  return masks;
}

class QueriesOfBlocks : public testing::TestWithParam<std::tuple<std::uint64_t, unsigned>> {
 protected:
  Executor executor_{1};
  test::BlocksSystem system_{std::get<0>(GetParam()), std::get<1>(GetParam())};
  r1cs::Shape shape_ = test::value_of(r1cs::extract_shape("blocks", system_));
  r1cs::PackedWitness witness_ =
      test::value_of(r1cs::compute_witness(shape_.layout(), system_, executor_));
};
INSTANTIATE_TEST_SUITE_P(Sizes, QueriesOfBlocks,
                         testing::Combine(testing::Values(0u, 1u, 5u),
                                          testing::Values(0u, 1u, 30u, 63u, 64u, 65u, 200u)));

TEST_P(QueriesOfBlocks, MasksAreThoseOfTheSelection) {
  std::array<Selection, core::kQueries> expected;
  std::array<std::size_t, core::kQueries> words{};
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    expected[q] = select(static_cast<Query>(q), shape_, witness_);
    words[q] = expected[q].mask.size();
  }
  const auto masks = masks_of(shape_, witness_, words);
  for (std::size_t q = 0; q < core::kQueries; ++q) EXPECT_EQ(masks[q], expected[q].mask) << q;
}

TEST_P(QueriesOfBlocks, TailsAreThoseOfTheSelection) {
  std::vector<Fr> values(witness_.inputs().begin(), witness_.inputs().end());
  const auto append = [&values](std::span<const Fr> fields) {
    values.insert(values.end(), fields.begin(), fields.end());
  };
  append(witness_.header().fields);
  for (std::uint64_t k = 0; k < shape_.blocks(); ++k) append(witness_.block(k).fields);
  for (const Query query : {Query::kL, Query::kA, Query::kB}) {
    const Selection expected = select(query, shape_, witness_);
    const QueryTail tail = test::value_of(query_tail(query, shape_));
    EXPECT_EQ(tail.elements, expected.scalars.size());
    std::vector<std::uint32_t> points = tail.points;
    std::vector<std::uint32_t> places = tail.values;
    if (tail.covers_all) {
      ASSERT_TRUE(points.empty());
      for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (places[i] != QueryTail::kNoValue) points.push_back(i);
      }
      std::erase(places, QueryTail::kNoValue);
    }
    EXPECT_EQ(points, expected.indices);
    ASSERT_EQ(places.size(), expected.scalars.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(values.at(places[i]), expected.scalars[i]);
    }
  }
}

}  // namespace
}  // namespace belfry::groth16
