#include "belfry/curve/encoding.h"

#include <algorithm>
#include <optional>

#include "belfry/curve/subgroup.h"
#include "belfry/field/sqrt.h"

namespace belfry::curve {
namespace {

constexpr std::uint8_t kCompressedFlag = 0x80;
constexpr std::uint8_t kInfinityFlag = 0x40;
constexpr std::uint8_t kSignFlag = 0x20;
constexpr std::uint8_t kFlags = kCompressedFlag | kInfinityFlag | kSignFlag;

using Coordinate = std::span<const std::uint8_t, FpBytes::kSize>;

void put(const Fp& value, std::uint8_t* out) noexcept {
  const FpBytes bytes(value);
  std::ranges::copy(bytes.bytes(), out);
}
void put(const Fp2& value, std::uint8_t* out) noexcept {
  put(value.c1, out);
  put(value.c0, out + FpBytes::kSize);
}

/// An element at `bytes`; the flags of the first byte were cleared by the caller.
bool get(const std::uint8_t* bytes, Fp& value) noexcept {
  const auto parsed = FpBytes::parse_fp(Coordinate(bytes, FpBytes::kSize));
  if (parsed) value = *parsed;
  return parsed.has_value();
}
bool get(const std::uint8_t* bytes, Fp2& value) noexcept {
  return get(bytes, value.c1) && get(bytes + FpBytes::kSize, value.c0);
}

/// y > (p - 1)/2 as an integer.
bool is_larger_root(const Fp& y) noexcept {
  const auto limbs = y.to_canonical();
  for (std::size_t i = limbs.size(); i-- > 0;) {
    if (limbs[i] != field::FpParams::kHalfModulus[i]) {
      return limbs[i] > field::FpParams::kHalfModulus[i];
    }
  }
  return false;
}
bool is_larger_root(const Fp2& y) noexcept { return is_larger_root(y.c1.is_zero() ? y.c0 : y.c1); }

/// blst refuses the two G1 points with x = 0 already when it reads them: they have order 3.
bool is_refused(const G1Affine& point) noexcept { return point.x.is_zero(); }
bool is_refused(const G2Affine& /*point*/) noexcept { return false; }

/// Infinity if every bit but the flags is zero and the sign is clear.
template <class Point>
Decoded<Point> decode_infinity(std::span<const std::uint8_t> bytes) noexcept {
  if ((bytes[0] & kSignFlag) != 0) return tl::unexpected(PointFault::kSignFlag);
  const bool rest_is_zero = (bytes[0] & ~kFlags) == 0 &&
                            std::ranges::all_of(bytes.subspan(1), [](auto b) { return b == 0; });
  if (!rest_is_zero) return tl::unexpected(PointFault::kInfinityBits);
  return Point::infinity();
}

template <class Point>
Decoded<Point> with_subgroup(const Decoded<Point>& point) noexcept {
  if (point && !in_subgroup(*point)) return tl::unexpected(PointFault::kNotInSubgroup);
  return point;
}

}  // namespace

std::string_view describe(PointFault fault) noexcept {
  switch (fault) {
    case PointFault::kCompressionFlag:
      return "the compression flag does not fit this encoding";
    case PointFault::kSignFlag:
      return "the sign flag is set where it has no meaning";
    case PointFault::kInfinityBits:
      return "infinity with other bits set";
    case PointFault::kCoordinateRange:
      return "a coordinate is not below p";
    case PointFault::kNotOnCurve:
      return "not on the curve";
    case PointFault::kNotInSubgroup:
      return "not in the subgroup of order r";
  }
  return "unknown fault";
}

template <GroupPoint Point>
std::array<std::uint8_t, kUncompressedSize<Point>> encode(const Point& point) {
  std::array<std::uint8_t, kUncompressedSize<Point>> out{};
  if (point.is_infinity()) {
    out[0] = kInfinityFlag;
    return out;
  }
  put(point.x, out.data());
  put(point.y, out.data() + kCompressedSize<Point>);
  return out;
}

template <GroupPoint Point>
std::array<std::uint8_t, kCompressedSize<Point>> encode_compressed(const Point& point) {
  std::array<std::uint8_t, kCompressedSize<Point>> out{};
  if (point.is_infinity()) {
    out[0] = kCompressedFlag | kInfinityFlag;
    return out;
  }
  put(point.x, out.data());
  out[0] |= kCompressedFlag;
  if (is_larger_root(point.y)) out[0] |= kSignFlag;
  return out;
}

template <GroupPoint Point>
Decoded<Point> decode_unchecked(std::span<const std::uint8_t, kUncompressedSize<Point>> bytes) {
  // Without flags the bytes are the coordinates as they stand: the usual case makes no copy.
  if ((bytes[0] & kFlags) != 0) {
    if ((bytes[0] & kCompressedFlag) != 0) return tl::unexpected(PointFault::kCompressionFlag);
    if ((bytes[0] & kInfinityFlag) != 0) return decode_infinity<Point>(bytes);
    return tl::unexpected(PointFault::kSignFlag);
  }
  Point point;
  if (!get(bytes.data(), point.x) || !get(bytes.data() + kCompressedSize<Point>, point.y)) {
    return tl::unexpected(PointFault::kCoordinateRange);
  }
  // Not is_on_curve(): x = y = 0 stands for infinity there, but has an encoding of its own here.
  if (point.y.square() != point.x.square() * point.x + Point::Group::b()) {
    return tl::unexpected(PointFault::kNotOnCurve);
  }
  if (is_refused(point)) return tl::unexpected(PointFault::kNotInSubgroup);
  return point;
}

template <GroupPoint Point>
Decoded<Point> decode(std::span<const std::uint8_t, kUncompressedSize<Point>> bytes) {
  return with_subgroup(decode_unchecked<Point>(bytes));
}

template <GroupPoint Point>
Decoded<Point> decode_compressed_unchecked(
    std::span<const std::uint8_t, kCompressedSize<Point>> bytes) {
  if ((bytes[0] & kCompressedFlag) == 0) return tl::unexpected(PointFault::kCompressionFlag);
  if ((bytes[0] & kInfinityFlag) != 0) return decode_infinity<Point>(bytes);
  std::array<std::uint8_t, kCompressedSize<Point>> x_bytes;
  std::ranges::copy(bytes, x_bytes.begin());
  x_bytes[0] &= static_cast<std::uint8_t>(~kFlags);
  Point point;
  if (!get(x_bytes.data(), point.x)) return tl::unexpected(PointFault::kCoordinateRange);
  const auto root = field::sqrt(point.x.square() * point.x + Point::Group::b());
  if (!root) return tl::unexpected(PointFault::kNotOnCurve);
  if (is_refused(point)) return tl::unexpected(PointFault::kNotInSubgroup);
  const bool want_larger = (bytes[0] & kSignFlag) != 0;
  point.y = is_larger_root(*root) == want_larger ? *root : -*root;
  return point;
}

template <GroupPoint Point>
Decoded<Point> decode_compressed(std::span<const std::uint8_t, kCompressedSize<Point>> bytes) {
  return with_subgroup(decode_compressed_unchecked<Point>(bytes));
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type can not stand in parentheses
#define BELFRY_INSTANTIATE_ENCODING(Point)                                                        \
  template std::array<std::uint8_t, kUncompressedSize<Point>> encode(const Point&);               \
  template std::array<std::uint8_t, kCompressedSize<Point>> encode_compressed(const Point&);      \
  template Decoded<Point> decode_unchecked<Point>(                                                \
      std::span<const std::uint8_t, kUncompressedSize<Point>>);                                   \
  template Decoded<Point> decode<Point>(std::span<const std::uint8_t, kUncompressedSize<Point>>); \
  template Decoded<Point> decode_compressed_unchecked<Point>(                                     \
      std::span<const std::uint8_t, kCompressedSize<Point>>);                                     \
  template Decoded<Point> decode_compressed<Point>(                                               \
      std::span<const std::uint8_t, kCompressedSize<Point>>)
// NOLINTEND(bugprone-macro-parentheses)

BELFRY_INSTANTIATE_ENCODING(G1Affine);
BELFRY_INSTANTIATE_ENCODING(G2Affine);

#undef BELFRY_INSTANTIATE_ENCODING

}  // namespace belfry::curve
