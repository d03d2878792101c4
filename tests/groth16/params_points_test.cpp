// Every point of a parameter file: flipped bits, infinity, other subgroups, coordinates that are
// not reduced.
#include <array>
#include <random>

#include "groth16/parameters_file.h"
#include "reference/slow_field.h"

namespace belfry::groth16 {
namespace {

using test::Bytes;
using test::outside_subgroup;
using test::ParametersFile;

TEST_F(ParametersFile, ABitFlipAnywhereIsFoundAndPlaced) {
  std::mt19937_64 rng(1);
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    for (int round = 0; round < 4; ++round) {
      const std::uint64_t index = rng() % layout.count;
      const std::uint64_t at = layout.points_offset() + index * layout.point_bytes;
      Bytes bytes = good_;
      bytes[at + rng() % layout.point_bytes] ^= static_cast<std::uint8_t>(1u << (rng() % 8));
      const Error error = refuse(bytes);
      EXPECT_EQ(error.section, std::string(to_string(section)) + "[" + std::to_string(index) + "]");
      EXPECT_EQ(error.offset, at);
    }
  }
}

TEST_F(ParametersFile, ABitFlipInTheKeyIsFound) {
  std::mt19937_64 rng(2);
  for (int round = 0; round < 40; ++round) {
    Bytes bytes = good_;
    bytes[rng() % parameters_.layout(Section::kH).offset] ^=
        static_cast<std::uint8_t>(1u << (rng() % 8));
    EXPECT_NE(refuse(bytes).message, "accepted");
  }
}

/// The points of a verifying key: name, place and group.
struct KeyPoint {
  std::string_view name;
  std::uint64_t at;
  bool in_g2;
};
constexpr std::array<KeyPoint, 7> kKeyPoints{{{"alpha_g1", 0, false},
                                              {"beta_g1", 96, false},
                                              {"beta_g2", 192, true},
                                              {"gamma_g2", 384, true},
                                              {"delta_g1", 576, false},
                                              {"delta_g2", 672, true},
                                              {"ic[0]", 868, false}}};

TEST_F(ParametersFile, InfinityIsRefusedEverywhere) {
  for (const KeyPoint& point : kKeyPoints) {
    Bytes bytes = good_;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(point.at), point.in_g2 ? 192 : 96, 0);
    bytes[point.at] = 0x40;
    const Error error = refuse(bytes);
    EXPECT_EQ(error.message, "point at infinity");
    EXPECT_EQ(error.section, point.name);
    EXPECT_EQ(error.offset, point.at);
  }
  for (std::size_t i = 0; i < kSections; ++i) {
    const SectionLayout& layout = parameters_.layout(static_cast<Section>(i));
    Bytes bytes = good_;
    const std::uint64_t at = layout.points_offset() + 3 * layout.point_bytes;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), layout.point_bytes, 0);
    bytes[at] = 0x40;
    EXPECT_EQ(refuse(bytes).offset, at);
    EXPECT_EQ(refuse(bytes).message, "point at infinity");
  }
}

TEST_F(ParametersFile, APointOutsideTheSubgroupIsFoundAndPlaced) {
  const auto g1 = curve::encode(outside_subgroup<curve::G1Affine>(1));
  const auto g2 = curve::encode(outside_subgroup<curve::G2Affine>(1));
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const SectionLayout& layout = parameters_.layout(section);
    const std::uint64_t at = layout.points_offset() + (layout.count - 1) * layout.point_bytes;
    Bytes bytes = good_;
    const ByteSpan bad = section == Section::kBG2 ? ByteSpan(g2) : ByteSpan(g1);
    std::copy(bad.begin(), bad.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    const Error error = refuse(bytes);
    EXPECT_EQ(error.offset, at);
    EXPECT_NE(error.found.find("subgroup"), std::string::npos) << error.found;
  }
}

TEST_F(ParametersFile, APointOfTheKeyOutsideTheSubgroupIsFoundAndPlaced) {
  const auto g1 = curve::encode(outside_subgroup<curve::G1Affine>(1));
  const auto g2 = curve::encode(outside_subgroup<curve::G2Affine>(1));
  for (const KeyPoint& point : kKeyPoints) {
    Bytes bytes = good_;
    const ByteSpan bad = point.in_g2 ? ByteSpan(g2) : ByteSpan(g1);
    std::copy(bad.begin(), bad.end(), bytes.begin() + static_cast<std::ptrdiff_t>(point.at));
    const Error error = refuse(bytes);
    EXPECT_EQ(error.section, point.name);
    EXPECT_EQ(error.offset, point.at);
    EXPECT_NE(error.found.find("subgroup"), std::string::npos) << error.found;
  }
}

TEST_F(ParametersFile, ACoordinateThatIsNotReducedIsFoundAndPlaced) {
  const Bytes modulus = from_hex(belfry::reference::FpPrime::kHex).value();
  const auto with_modulus_at = [&](std::uint64_t at) {
    Bytes bytes = good_;
    std::copy(modulus.begin(), modulus.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return bytes;
  };
  for (const KeyPoint& point : kKeyPoints) {
    EXPECT_EQ(refuse(with_modulus_at(point.at)).offset, point.at);
  }
  for (std::size_t i = 0; i < kSections; ++i) {
    const SectionLayout& layout = parameters_.layout(static_cast<Section>(i));
    const std::uint64_t at = layout.points_offset() + layout.point_bytes;
    for (std::uint64_t k = 0; k < layout.point_bytes; k += modulus.size()) {
      EXPECT_EQ(refuse(with_modulus_at(at + k)).offset, at);
    }
  }
}

}  // namespace
}  // namespace belfry::groth16
