#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"

// From the ones among aux variables to the masks of the queries' points, word by word, as a device
// does it: `select` (witness_selection.h) without its lists. Tests run the workers one after the
// other.
namespace belfry::groth16::core {

inline constexpr unsigned kWordBits = 64;
/// The queries in the order of Query: L, A, B.
inline constexpr std::size_t kQueries = 3;

/// The bits at the places of the ones of `mask`, moved together, lowest first.
BELFRY_HD constexpr std::uint64_t extract_bits(std::uint64_t bits, std::uint64_t mask) noexcept {
  std::uint64_t out = 0;
  for (std::uint64_t place = 1; mask != 0; mask &= mask - 1, place <<= 1) {
    if ((bits & mask & (~mask + 1)) != 0) out |= place;
  }
  return out;
}

/// Which aux of a header, or of any block, have a point in each query: a density word for 64 of
/// them, and the points of the words before it. L has all.
struct PartMaskView {
  std::array<const std::uint64_t*, kQueries> density{};        // (words), null for L
  std::array<const std::uint32_t*, kQueries> points_before{};  // (words), null for L
  std::uint32_t words = 0;
};

/// The number of the first point of a part's aux, in each query.
using FirstPoints = std::array<std::uint64_t, kQueries>;

/// Worker `word`: takes the ones of 64 aux and calls or_word(query, i, bits) for the words i of the
/// query's mask that get bits. Several workers may name the same word.
template <class OrWord>
BELFRY_HD constexpr void select_word(std::uint32_t word, std::uint64_t ones,
                                     const PartMaskView& part, const FirstPoints& first_point,
                                     OrWord&& or_word) noexcept {
  if (ones == 0) return;
  for (std::size_t query = 0; query < kQueries; ++query) {
    const bool has_all = part.density[query] == nullptr;
    const std::uint64_t bits = has_all ? ones : extract_bits(ones, part.density[query][word]);
    if (bits == 0) continue;
    const std::uint64_t before =
        has_all ? std::uint64_t{word} * kWordBits : part.points_before[query][word];
    const std::uint64_t point = first_point[query] + before;
    const auto shift = static_cast<unsigned>(point % kWordBits);
    or_word(query, point / kWordBits, bits << shift);
    if (shift != 0 && (bits >> (kWordBits - shift)) != 0) {
      or_word(query, point / kWordBits + 1, bits >> (kWordBits - shift));
    }
  }
}

}  // namespace belfry::groth16::core
