#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/r1cs/constraint_sink.h"
#include "belfry/r1cs/linear_combination.h"
#include "belfry/r1cs/unknown.h"
#include "belfry/r1cs/variable.h"

namespace belfry::r1cs {

/// The interpreter that records a circuit's shape: variables, their classes and constraints go to
/// sinks as they come, nothing is kept here and no values exist.
///
/// Both interpreters have the members that gadgets use: the types Ref, Lc, FieldValue, BitValue,
/// the constant kComputesValues and the functions below. Rows are given as linear combinations:
///
///   cs.enforce(Lc{}.plus(a), Lc{}.plus_one(), Lc{}.plus(b).minus(c));
///
/// ONE is allocated by the constructor. The appended input rows (spec gadgets.md 2.1) are not part
/// of a shape: whoever needs them adds them. Not thread-safe.
class ShapeBuilder {
 public:
  static constexpr bool kComputesValues = false;
  using Ref = Variable;
  using Lc = LinearCombination;
  using FieldValue = Unknown;
  using BitValue = Unknown;

  /// The sinks outlive the builder.
  explicit ShapeBuilder(ConstraintSink& sink, CancelToken cancel = {})
      : ShapeBuilder(std::vector{&sink}, std::move(cancel)) {}
  explicit ShapeBuilder(std::vector<ConstraintSink*> sinks, CancelToken cancel = {})
      : sinks_(std::move(sinks)), cancel_(std::move(cancel)) {
    (void)alloc_input(Unknown{});
  }
  ShapeBuilder(const ShapeBuilder&) = delete;
  ShapeBuilder& operator=(const ShapeBuilder&) = delete;
  ~ShapeBuilder() = default;

  /// A value that comes from outside the circuit: never computed here.
  template <class Function>
  [[nodiscard]] static constexpr Unknown given(Function&&) noexcept {
    return {};
  }

  [[nodiscard]] Variable alloc_bit(Unknown) { return alloc_aux(VariableClass::kBit); }
  [[nodiscard]] Variable alloc_field(Unknown) { return alloc_aux(VariableClass::kField); }
  [[nodiscard]] Variable alloc_input(Unknown);
  void enforce(const LinearCombination& a, const LinearCombination& b, const LinearCombination& c);
  /// Says that the header, or a block, is complete and the next block begins.
  void begin_block();
  /// Says that a named point has been reached: for checkpoints, no part of the circuit.
  void step(std::string_view name);
  /// Whether somebody asked to stop. Nobody uses what such a synthesis leaves, so a gadget may pass
  /// its rows by: the costly ones ask, circuits need not.
  [[nodiscard]] bool stopped() const noexcept { return cancel_.cancelled(); }

  [[nodiscard]] std::uint64_t inputs() const noexcept { return inputs_; }
  [[nodiscard]] std::uint64_t aux() const noexcept { return aux_; }
  [[nodiscard]] std::uint64_t constraints() const noexcept { return constraints_; }

 private:
  [[nodiscard]] Variable alloc_aux(VariableClass kind);

  std::vector<ConstraintSink*> sinks_;
  CancelToken cancel_;
  std::uint32_t inputs_ = 0;
  std::uint32_t aux_ = 0;
  std::uint64_t constraints_ = 0;
};

}  // namespace belfry::r1cs
