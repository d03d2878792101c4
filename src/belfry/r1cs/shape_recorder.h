#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/r1cs/constraint_sink.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// The header's variables that blocks see in turns: arguments[i][j] stands in block i wherever
/// arguments[0][j] stands in block 0. Empty: all blocks see the same variables.
using BlockArguments = std::vector<std::vector<Variable>>;  // (blocks, arguments)

/// Records the header and the first block of a circuit as a Shape. Later blocks, if the synthesis
/// has any, are compared with the first row by row, up to which of the header's variables they see.
/// Use through `extract_shape` (synthesize.h).
class ShapeRecorder final : public ConstraintSink {
 public:
  ShapeRecorder();
  ~ShapeRecorder() override;

  void on_input() override;
  void on_aux(VariableClass kind) override;
  void on_constraint(const LinearCombination& a, const LinearCombination& b,
                     const LinearCombination& c) override;
  void on_block() override;

  /// The shape of a circuit with that many blocks (0: a header alone). Leaves the recorder empty.
  /// Where later blocks were recorded, what they see must be what `arguments` says, if anything.
  ///
  /// kInvalidUsage if a part has more than 2^24 columns or the circuit more than 2^16 coefficients
  /// that are not ±1 or small powers of two; if blocks were recorded that differ or whose number
  /// contradicts `blocks`; if the arguments are not one list a block, equally long, of distinct
  /// variables of the header.
  [[nodiscard]] Result<Shape> finish(std::string circuit_id, std::uint64_t blocks,
                                     const BlockArguments& arguments = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace belfry::r1cs
