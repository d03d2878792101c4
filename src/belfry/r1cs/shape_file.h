#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// Writes a shape as a `.shape` file (docs/formats.md): little-endian, versioned, with a SHA-256
/// over everything; appears whole or not at all. Sections are written from where they lie; only the
/// dictionary is copied.
/// @return kResourceExhausted when the disk is full
[[nodiscard]] Result<void> write_shape(const Shape& shape, const std::filesystem::path& path);

/// Maps a `.shape` file and checks all of it: magic, version, digest, every length, count, column
/// and code, and that densities are those of the rows. What is returned can be multiplied without
/// further checks; it reads from the map, which it keeps.
/// @return kNotFound; kInvalidInput with file, section, offset, expected and found
/// Memory: the map, the dictionary, three bitmaps. Cost: two passes over the file.
[[nodiscard]] Result<Shape> read_shape(const std::filesystem::path& path);

/// Whether the digest at the end is compared. Skipping it is for tests and fuzzers, which want to
/// reach the checks behind it.
enum class DigestCheck : std::uint8_t { kVerify, kSkip };

/// The same for the bytes of a file that are in memory, 8-byte aligned. The shape reads from them;
/// `owner` keeps them alive. `file` names them in errors.
[[nodiscard]] Result<Shape> parse_shape(ByteSpan bytes, std::string_view file,
                                        std::shared_ptr<const ShapeStorage> owner,
                                        DigestCheck digest = DigestCheck::kVerify);

/// The first bytes of every shape file, and the version that is written and read.
inline constexpr std::string_view kShapeMagic = "BLFSHAPE";
inline constexpr std::uint32_t kShapeVersion = 1;

}  // namespace belfry::r1cs
