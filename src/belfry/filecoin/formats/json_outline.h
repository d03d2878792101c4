#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::filecoin {

/// A JSON text with its large arrays taken out, so that a parser which indexes a text whole indexes
/// one array at a time: memory then follows the largest array, not the file.
///
/// Taken out are the outermost arrays of 64 KiB to 16 MiB in a text of 1 MiB and more; an empty
/// array stands in the place of each. The text is only scanned for quotes and brackets: whether it
/// is JSON is found out when outline and arrays are parsed, all of which has to happen. A text that
/// is deeper than 64 levels or whose brackets do not close is left whole.
struct JsonOutline {
  /// An array that was taken out: where its placeholder stands, and its bytes in the text.
  struct Slice {
    std::uint64_t placeholder;
    std::uint64_t begin;
    std::uint64_t size;
  };

  std::string text;
  std::vector<Slice> slices;  ///< ascending

  /// The slice whose placeholder stands at this offset of the outline, or null.
  [[nodiscard]] const Slice* slice_at(std::uint64_t offset) const noexcept;
  /// The place in the whole text of a place in the outline.
  [[nodiscard]] std::uint64_t whole_offset(std::uint64_t offset) const noexcept;
};

/// Cost: about a nanosecond a byte.
[[nodiscard]] JsonOutline make_json_outline(std::string_view text);

}  // namespace belfry::filecoin
