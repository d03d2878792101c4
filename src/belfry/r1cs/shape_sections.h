#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/r1cs/shape.h"

/// The order of a `.shape` file's parts, for its writer and its reader (docs/formats.md).
namespace belfry::r1cs::detail {

/// Sections before those of the parts: circuit id, bindings, dictionary.
inline constexpr std::size_t kLeadingSections = 3;
/// Of each part: four bitmaps, then five lists for each matrix.
inline constexpr std::size_t kBitmaps = 4;
inline constexpr std::size_t kMatrixLists = 5;
inline constexpr std::size_t kPartSections = kBitmaps + kMatrices * kMatrixLists;
inline constexpr std::size_t kSections = kLeadingSections + 2 * kPartSections;
/// Numbers of the head: file bytes, blocks, then inputs, aux, bits, constraints of the header, then
/// slots, inputs, aux, bits, constraints of the block.
inline constexpr std::size_t kHeadNumbers = 11;
/// Where the numbers begin: behind magic, version and number of sections.
inline constexpr std::size_t kCountsAt = 8 + 4 + 4;
/// The above, the numbers, then the length of each section in bytes.
inline constexpr std::size_t kHeadBytes = kCountsAt + 8 * (kHeadNumbers + kSections);
inline constexpr std::size_t kDigestBytes = 32;
/// Sections begin at multiples of this; the bytes between are zero.
inline constexpr std::size_t kAlignment = 8;

[[nodiscard]] constexpr std::uint64_t padded(std::uint64_t bytes) noexcept {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}
/// "header.b.terms" and so on, for errors.
[[nodiscard]] std::string section_name(std::size_t section);

using HeadNumbers = std::array<std::uint64_t, kHeadNumbers>;
[[nodiscard]] HeadNumbers numbers_of(const ShapeView& view) noexcept;

}  // namespace belfry::r1cs::detail
