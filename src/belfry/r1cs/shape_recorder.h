#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "belfry/base/error.h"
#include "belfry/r1cs/constraint_sink.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// Records the header and the first block of a circuit as a Shape. Later blocks, if the synthesis
/// has any, are compared with the first row by row. Use through `extract_shape` (synthesize.h).
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
  /// kInvalidUsage if a part has more than 2^24 columns or the circuit more than 2^16 coefficients
  /// that are not ±1 or small powers of two, or if blocks were recorded that differ or whose number
  /// contradicts `blocks`.
  [[nodiscard]] Result<Shape> finish(std::string circuit_id, std::uint64_t blocks);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace belfry::r1cs
