#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/r1cs/shape.h"

namespace belfry::filecoin {

/// Sizes of the PoRep circuit by the formulas of circuits.md 2.7, ONE and no dummy rows counted.
struct PorepCounts {
  std::uint64_t inputs;
  std::uint64_t aux;
  std::uint64_t constraints;
};
[[nodiscard]] PorepCounts porep_counts(const PorepParams& params);

/// The shape of the PoRep circuit (circuits.md 2.4): header, one block (a challenge), their number.
/// Cost: under 15 s and 1 GiB on one core for 32 GiB.
/// @return kInvalidUsage if the parameters are no circuit (tree and nodes do not fit, layers not 2
/// or
///         11, no challenges)
[[nodiscard]] Result<r1cs::Shape> porep_shape(const PorepParams& params);

}  // namespace belfry::filecoin
