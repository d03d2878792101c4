#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

namespace belfry::curve {

/// Why bytes are not a point. Callers add file, section and offset (Error::in_file, at).
enum class PointFault : std::uint8_t {
  kCompressionFlag,  ///< 0x80 is set in an uncompressed encoding, or clear in a compressed one
  kSignFlag,         ///< 0x20 where it has no meaning: uncompressed, or infinity
  kInfinityBits,     ///< 0x40 is set and any other bit of the coordinates too
  kCoordinateRange,  ///< a coordinate is p or more
  kNotOnCurve,       ///< y² != x³ + b, or no y for this x
  kNotInSubgroup,    ///< on the curve, outside the group of order r; also any G1 point with x = 0
};

/// One clause for a message: "coordinate is not below p".
[[nodiscard]] std::string_view describe(PointFault fault) noexcept;

/// G1Affine or G2Affine.
template <class Point>
concept GroupPoint = std::same_as<Point, G1Affine> || std::same_as<Point, G2Affine>;

template <class Point>
using Decoded = tl::expected<Point, PointFault>;

/// Sizes in bytes of the two encodings of spec formats.md 1.2.
template <GroupPoint Point>
inline constexpr std::size_t kUncompressedSize = 2 * sizeof(typename Point::Field);
template <GroupPoint Point>
inline constexpr std::size_t kCompressedSize = sizeof(typename Point::Field);

/// x ‖ y, big-endian canonical coordinates (for G2 the coefficient of u first), three flag bits in
/// the top of byte 0; infinity is 0x40 and zeros. Cost: two products by one an element of Fp.
template <GroupPoint Point>
[[nodiscard]] std::array<std::uint8_t, kUncompressedSize<Point>> encode(const Point& point);
/// x alone, with 0x80 set, and 0x20 if y is the larger root; infinity is 0xc0 and zeros.
template <GroupPoint Point>
[[nodiscard]] std::array<std::uint8_t, kCompressedSize<Point>> encode_compressed(
    const Point& point);

/// Reads x ‖ y: flags, ranges and the equation are checked, membership of the subgroup is not. A G1
/// point with x = 0 is refused as blst does (it has order 3).
///
/// Cost: two multiplications an Fp coordinate and 3 for the equation; no branch on data.
/// Thread-safe.
template <GroupPoint Point>
[[nodiscard]] Decoded<Point> decode_unchecked(
    std::span<const std::uint8_t, kUncompressedSize<Point>> bytes);
/// The same with the subgroup test (subgroup.h).
template <GroupPoint Point>
[[nodiscard]] Decoded<Point> decode(std::span<const std::uint8_t, kUncompressedSize<Point>> bytes);

/// Reads x with its sign; one square root. The subgroup is tested in the second form only.
template <GroupPoint Point>
[[nodiscard]] Decoded<Point> decode_compressed_unchecked(
    std::span<const std::uint8_t, kCompressedSize<Point>> bytes);
template <GroupPoint Point>
[[nodiscard]] Decoded<Point> decode_compressed(
    std::span<const std::uint8_t, kCompressedSize<Point>> bytes);

}  // namespace belfry::curve
