#pragma once

#include "belfry/base/error.h"
#include "belfry/groth16/params/params.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// The counts that parameters of a circuit have (spec formats.md 1.4).
[[nodiscard]] QueryCounts query_counts(const r1cs::Shape& shape);

/// Compares the counts of a file with those of a circuit; kInvalidInput names the first that
/// differs.
[[nodiscard]] Result<void> check_counts(const Parameters& parameters, const r1cs::Shape& shape);

}  // namespace belfry::groth16
