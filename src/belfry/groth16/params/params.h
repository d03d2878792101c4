#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/base/file.h"
#include "belfry/groth16/params/verifying_key.h"

namespace belfry::groth16 {

/// The five vectors of points that follow the key in a `.params` file, in the order of the file.
enum class Section : std::uint8_t { kH, kL, kA, kBG1, kBG2 };
inline constexpr std::size_t kSections = 5;
/// "h", "l", "a", "b_g1", "b_g2".
[[nodiscard]] std::string_view to_string(Section section) noexcept;
/// Bytes of a point of a section, in memory as in a file.
[[nodiscard]] constexpr std::uint64_t point_bytes(Section section) noexcept {
  constexpr std::uint64_t kG1 = 96;
  return section == Section::kBG2 ? 2 * kG1 : kG1;
}

/// Points of each vector. |b_g1| = |b_g2| = b.
struct QueryCounts {
  std::uint64_t ic = 0;  ///< inputs with ONE
  std::uint64_t h = 0;   ///< domain size − 1
  std::uint64_t l = 0;   ///< aux variables
  std::uint64_t a = 0;   ///< inputs and the aux variables that occur in an A row
  std::uint64_t b = 0;   ///< variables that occur in a B row
  friend bool operator==(const QueryCounts&, const QueryCounts&) = default;
};

/// Where a vector stands in the file.
struct SectionLayout {
  std::uint64_t offset = 0;       ///< of the count, u32 big-endian; the points follow it
  std::uint64_t count = 0;        ///< points
  std::uint64_t point_bytes = 0;  ///< 96 (G1) or 192 (G2)

  [[nodiscard]] std::uint64_t points_offset() const noexcept {
    return offset + sizeof(std::uint32_t);
  }
  [[nodiscard]] std::uint64_t end() const noexcept { return points_offset() + count * point_bytes; }
};

/// A mapped `.params` file (spec formats.md 1.4). Opening it reads and checks the key and the five
/// counts alone; points stay on disk until a PointSource decodes them, chunk by chunk.
/// Move-only; const calls are thread-safe.
class Parameters {
 public:
  /// kNotFound without the file; kInvalidInput, with file, section and offset, for an empty or
  /// truncated file, text, counts that the file's length can not hold, trailing bytes, |h| + 1 not
  /// a power of two, |a| < |ic|, |b_g1| ≠ |b_g2|, and a bad key. Touches a few pages only.
  [[nodiscard]] static Result<Parameters> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return file_.path(); }
  [[nodiscard]] ByteSpan bytes() const noexcept { return file_.bytes(); }
  [[nodiscard]] const VerifyingKey& verifying_key() const noexcept { return key_; }
  [[nodiscard]] const SectionLayout& layout(Section section) const noexcept {
    return layout_[static_cast<std::size_t>(section)];
  }
  [[nodiscard]] QueryCounts counts() const noexcept;
  /// The encoded points of a vector.
  [[nodiscard]] ByteSpan section_bytes(Section section) const noexcept;

 private:
  Parameters(MappedFile file, VerifyingKey key, std::array<SectionLayout, kSections> layout)
      : file_(std::move(file)), key_(std::move(key)), layout_(layout) {}

  MappedFile file_;
  VerifyingKey key_;
  std::array<SectionLayout, kSections> layout_;
};

}  // namespace belfry::groth16
