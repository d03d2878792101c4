#include "belfry/r1cs/shape_builder.h"

#include "belfry/base/assert.h"

namespace belfry::r1cs {

Variable ShapeBuilder::alloc_input(Unknown) {
  BELFRY_ASSERT(inputs_ < Variable::kIndexLimit, "more inputs than an index can name");
  for (ConstraintSink* sink : sinks_) sink->on_input();
  return Variable::input(inputs_++);
}

Variable ShapeBuilder::alloc_aux(VariableClass kind) {
  BELFRY_ASSERT(aux_ < Variable::kIndexLimit, "more aux than an index can name");
  for (ConstraintSink* sink : sinks_) sink->on_aux(kind);
  return Variable::aux(aux_++);
}

void ShapeBuilder::enforce(const LinearCombination& a, const LinearCombination& b,
                           const LinearCombination& c) {
  for (ConstraintSink* sink : sinks_) sink->on_constraint(a, b, c);
  ++constraints_;
}

void ShapeBuilder::begin_block() {
  for (ConstraintSink* sink : sinks_) sink->on_block();
}

void ShapeBuilder::step(std::string_view name) {
  for (ConstraintSink* sink : sinks_) sink->on_step(name);
}

}  // namespace belfry::r1cs
