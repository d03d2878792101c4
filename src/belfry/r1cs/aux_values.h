#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// The bits of a packed part spread to the order of its aux: bit j is one where aux j is of class
/// bit and has the value 1. (counts.aux + 63) / 64 words. This is the mask of the points that a sum
/// over bits takes. Cost: a few words a nanosecond where bits lie together.
[[nodiscard]] std::vector<std::uint64_t> ones_bitmap(const PartView& part,
                                                     std::span<const std::uint64_t> bits);

/// The aux of a part that are field elements, ascending: the i-th has the value fields[i]. The same
/// for all blocks.
[[nodiscard]] std::vector<std::uint32_t> field_indices(const PartView& part);

/// Looks up single values of a whole witness by variable: for tests and samples. The shape and the
/// witness outlive it. Thread-safe. Cost of a look-up: up to one pass over a class bitmap.
class WitnessLookupView {
 public:
  /// The witness has the layout of the shape.
  WitnessLookupView(const Shape& shape, const PackedWitness& witness)
      : shape_(&shape), witness_(&witness) {}

  /// `index` < shape.aux().
  [[nodiscard]] Fr aux(std::uint64_t index) const;
  [[nodiscard]] Fr value(Variable variable) const {
    return variable.is_input() ? witness_->inputs()[variable.index()] : aux(variable.index());
  }

 private:
  const Shape* shape_;
  const PackedWitness* witness_;
};

/// All aux of a part in order, as elements: for digests and tests.
[[nodiscard]] std::vector<Fr> aux_of_part(const PartView& part, const WitnessPartView& values);

}  // namespace belfry::r1cs
