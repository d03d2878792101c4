#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/curve/encoding.h"

namespace belfry::groth16 {

/// The error of bytes that are no point. The caller adds file, section and offset.
[[nodiscard]] inline Error point_error(std::string_view stage, curve::PointFault fault) {
  return invalid(std::string(stage), "not a point of the group")
      .but("an encoded point", std::string(curve::describe(fault)));
}
[[nodiscard]] inline Error infinity_error(std::string_view stage) {
  return invalid(std::string(stage), "point at infinity").but("a finite point", "infinity");
}

/// How `take_point` decodes: uncompressed for keys, compressed for proofs; both test the subgroup.
enum class PointForm : std::uint8_t { kUncompressed, kCompressed };

/// The next point of a reader: on the curve, in the subgroup, not infinity. `Point` is G1Affine or
/// G2Affine. kInvalidInput with `name` as section and the offset where the point begins.
template <class Point, PointForm Form = PointForm::kUncompressed>
[[nodiscard]] Result<Point> take_point(ByteReader& reader, std::string_view stage,
                                       const std::string& name) {
  constexpr bool kCompressed = Form == PointForm::kCompressed;
  constexpr std::size_t kSize =
      kCompressed ? curve::kCompressedSize<Point> : curve::kUncompressedSize<Point>;
  const Error where = reader.error(name, {});
  const auto place = [&where](Error error) {
    error.file = where.file;
    error.section = where.section;
    error.offset = where.offset;
    return error;
  };
  BELFRY_TRY(const ByteSpan raw, reader.take(kSize, name));
  curve::Decoded<Point> point;
  if constexpr (kCompressed) {
    point = curve::decode_compressed<Point>(raw.first<kSize>());
  } else {
    point = curve::decode<Point>(raw.first<kSize>());
  }
  if (!point) return fail(place(point_error(stage, point.error())));
  if (point->is_infinity()) return fail(place(infinity_error(stage)));
  return *point;
}

/// The count (u32 big-endian) of a vector of points of `point_bytes` each. kInvalidInput if the
/// rest of the file can't hold so many: checked here, before anything is allocated.
[[nodiscard]] inline Result<std::uint64_t> take_count(ByteReader& reader, std::uint64_t point_bytes,
                                                      std::string_view section) {
  const std::uint64_t offset = reader.offset();
  BELFRY_TRY(const std::uint64_t count, reader.take_be<std::uint32_t>(section));
  if (count <= reader.remaining() / point_bytes) return count;
  return fail(reader.error(section, "the file is truncated: it can not hold so many points")
                  .at(offset)
                  .but("at most " + std::to_string(reader.remaining() / point_bytes) + " points",
                       std::to_string(count)));
}

}  // namespace belfry::groth16
