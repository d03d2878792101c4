#pragma once

#include "belfry/base/error.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::r1cs {

/// Refuses a circuit that made other counts than its slice has. Private to the room.
[[nodiscard]] Result<void> expect_counts(const WitnessSlice& slice, const PartLayout& made);

}  // namespace belfry::r1cs
