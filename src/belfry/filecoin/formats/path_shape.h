#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::filecoin {

/// A tree as serialised paths see it: levels bottom to top, of which the last ones (a sub and a top
/// tree, where there are any) are written as paths of their own (formats.md 5.2, 5.4).
struct PathShape {
  std::vector<std::uint32_t> arities;  // (levels)
  std::size_t upper_levels = 0;        ///< 0 Single, 1 Sub, 2 Top: also the number of the variant
  std::size_t siblings = 0;            ///< sum of arity - 1 over the levels

  [[nodiscard]] std::size_t base_levels() const noexcept { return arities.size() - upper_levels; }
  /// "Single", "Sub", "Top".
  [[nodiscard]] std::string_view variant() const noexcept;
};

/// The paths of a tree; shapes that do not fit the number of nodes have no levels.
[[nodiscard]] PathShape path_shape(const TreeShape& tree, std::uint64_t nodes);

}  // namespace belfry::filecoin
