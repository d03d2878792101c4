#pragma once

#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/circuit_cost.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/r1cs/shape.h"

/// The circuits that this version has, behind their names: what lists, digests, setup, parameter
/// checks and shape caches need of a family. A new family is one row in circuits.cpp.
namespace belfry::filecoin {

/// The families that have a circuit, in the order of lists.
[[nodiscard]] std::vector<CircuitKind> circuit_families();

/// Sizes by formula. kNotFound for a family without a circuit.
[[nodiscard]] Result<CircuitCounts> circuit_counts(const Circuit& circuit);

/// The shape under the circuit's name. kNotFound for a family without a circuit; kCancelled within
/// some milliseconds.
/// Cost: seconds and a few hundred MB for the largest.
[[nodiscard]] Result<r1cs::Shape> circuit_shape(const Circuit& circuit,
                                                const CancelToken& cancel = {});

}  // namespace belfry::filecoin
