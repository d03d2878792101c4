#pragma once

#include <string_view>

#include "belfry/r1cs/linear_combination.h"

namespace belfry::r1cs {

/// What listens to a ShapeBuilder: digests, counters, the recorder of a shape. Called in the order
/// of synthesis, from one thread.
class ConstraintSink {
 public:
  ConstraintSink() = default;
  virtual ~ConstraintSink() = default;
  ConstraintSink(const ConstraintSink&) = delete;
  ConstraintSink& operator=(const ConstraintSink&) = delete;

  /// The next input, respectively aux; ONE is announced first.
  virtual void on_input() {}
  virtual void on_aux(VariableClass /*kind*/) {}
  /// The next constraint <A,z> · <B,z> = <C,z>.
  virtual void on_constraint(const LinearCombination& a, const LinearCombination& b,
                             const LinearCombination& c) = 0;
  /// From here on every variable and constraint belongs to the next block.
  virtual void on_block() {}
  /// A named point of the synthesis has been passed (spec circuits.md 7.4).
  virtual void on_step(std::string_view /*name*/) {}
};

}  // namespace belfry::r1cs
