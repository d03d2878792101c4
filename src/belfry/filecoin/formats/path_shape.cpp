#include "belfry/filecoin/formats/path_shape.h"

#include <array>

namespace belfry::filecoin {

std::string_view PathShape::variant() const noexcept {
  constexpr std::array<std::string_view, 3> kVariants{"Single", "Sub", "Top"};
  return kVariants[upper_levels];
}

PathShape path_shape(const TreeShape& tree, std::uint64_t nodes) {
  PathShape shape{.arities = path_arities(tree, nodes)};
  if (shape.arities.empty()) return shape;
  shape.upper_levels = (tree.sub > 0 ? 1U : 0U) + (tree.top > 0 ? 1U : 0U);
  for (const std::uint32_t arity : shape.arities) shape.siblings += arity - 1;
  return shape;
}

}  // namespace belfry::filecoin
