#pragma once

#include <cstdint>
#include <filesystem>

#include "belfry/base/error.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// Writes a shape as a `.shape` file (docs/formats.md): little-endian, versioned, with a SHA-256
/// over everything; appears whole or not at all. Needs little memory beside the shape.
/// @return kResourceExhausted when the disk is full
[[nodiscard]] Result<void> write_shape(const Shape& shape, const std::filesystem::path& path);

/// Maps a `.shape` file and checks all of it: magic, version, digest, every length, count, column
/// and code. What is returned can be multiplied without further checks; it reads from the map.
/// @return kNotFound; kInvalidInput with file, section, offset, expected and found
/// Memory: the map and its dictionary. Cost: two passes over the file (190 MB: 0.3 s).
[[nodiscard]] Result<Shape> read_shape(const std::filesystem::path& path);

/// Size of the file that write_shape makes.
[[nodiscard]] std::uint64_t shape_file_bytes(const Shape& shape) noexcept;

}  // namespace belfry::r1cs
