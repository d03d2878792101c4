#pragma once

#include <cstdint>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// A witness as one query sees it: which of its points are added once, and which are multiplied.
/// Points are numbered as in the query (spec formats.md 1.4): inputs, then aux, without those that
/// do not occur.
struct Selection {
  std::vector<std::uint64_t> mask;     ///< bit i: point i belongs to a bit that is 1
  std::vector<std::uint32_t> indices;  ///< ascending: points of inputs and field elements
  std::vector<Fr> scalars;             ///< of the points in `indices`
};

/// The queries whose scalars are the assignment.
enum class Query : std::uint8_t { kL, kA, kB };

/// The scalars of a query. The witness has the layout of the shape. Bits stay bits: the mask takes
/// one bit a point. Cost: some passes over bitmaps; a few milliseconds a million variables.
[[nodiscard]] Selection select(Query query, const r1cs::Shape& shape,
                               const r1cs::PackedWitness& witness);

/// Most bytes of a selection of this query.
[[nodiscard]] std::uint64_t selection_bytes(const r1cs::Shape& shape);

}  // namespace belfry::groth16
