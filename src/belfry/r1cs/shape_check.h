#pragma once

#include <cstdint>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// Checks that the lists of a shape fit together: sizes of lists against counts, group starts,
/// columns, dictionary indices, class counts, densities, bindings, totals. After it no reader of
/// the shape can leave a list. Used on shapes from files.
/// @return kInvalidInput naming the section (as shape files call it), expected and found
/// Cost: one pass over all terms.
[[nodiscard]] Result<void> check_shape(const ShapeView& view);

}  // namespace belfry::r1cs
