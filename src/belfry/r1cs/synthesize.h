#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/base/try_for_each.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape_builder.h"
#include "belfry/r1cs/shape_recorder.h"
#include "belfry/r1cs/witness_builder.h"

/// Runs circuits under the interpreters. A circuit is any type with
///
///   std::uint64_t blocks() const;                          // 0: the header is all
///   template <class Cs> auto header(Cs& cs) const;         // makes the header, returns what
///   blocks
///                                                          // need of it (any value)
///   template <class Cs> void block(Cs& cs, const auto& header, std::uint64_t index) const;
///
/// All blocks are equal but for values; a block refers to the header's variables and its own (spec
/// circuits.md 7.6). If blocks see different variables of the header in the same places, the
/// circuit says which, in the same order for every block:
///
///   template <class Cs>                                    // see BlockArguments
///   std::vector<typename Cs::Ref> block_arguments(const auto& header, std::uint64_t index) const;
///
/// Values that come from outside enter through `cs.given([&] { return ...; })`,
/// so one object without values can describe the shape.
namespace belfry::r1cs {

/// Whether the blocks of a circuit see variables of the header in turns.
template <class Circuit, class Header>
concept HasBlockArguments = requires(const Circuit& circuit, const Header& header) {
  { circuit.block_arguments(header, std::uint64_t{0}) } -> std::same_as<std::vector<Variable>>;
};

/// The whole system, header and all blocks in order, into the sinks of the builder.
template <class Circuit>
void synthesize(ShapeBuilder& cs, const Circuit& circuit) {
  const auto header = circuit.header(cs);
  for (std::uint64_t i = 0; i < circuit.blocks(); ++i) {
    cs.begin_block();
    circuit.block(cs, header, i);
  }
}

/// The shape: synthesises the header and one block. Errors: ShapeRecorder::finish; kCancelled.
template <class Circuit>
[[nodiscard]] Result<Shape> extract_shape(std::string circuit_id, const Circuit& circuit,
                                          const CancelToken& cancel = {}) {
  ShapeRecorder recorder;
  ShapeBuilder cs(recorder, cancel);
  const auto header = circuit.header(cs);
  if (circuit.blocks() > 0) {
    cs.begin_block();
    circuit.block(cs, header, 0);
  }
  BlockArguments arguments;
  if constexpr (HasBlockArguments<Circuit, decltype(circuit.header(cs))>) {
    for (std::uint64_t i = 0; i < circuit.blocks(); ++i) {
      arguments.push_back(circuit.block_arguments(header, i));
    }
  }
  // Rows of a synthesis that was stopped are missing (ShapeBuilder::stopped).
  BELFRY_CHECK(cancel.check("r1cs.extract_shape"));
  return recorder.finish(std::move(circuit_id), circuit.blocks(), arguments);
}

/// The witness: the header, then all blocks in parallel. kInvalidInput if the circuit does not have
/// the shape that the layout comes from; kResourceExhausted as PackedWitness::create.
template <class Circuit>
[[nodiscard]] Result<PackedWitness> compute_witness(const WitnessLayout& layout,
                                                    const Circuit& circuit,
                                                    const Executor& executor) {
  if (layout.blocks != circuit.blocks()) {
    return fail(invalid("r1cs.witness", "the circuit has another number of blocks than the shape")
                    .but(std::to_string(layout.blocks), std::to_string(circuit.blocks())));
  }
  BELFRY_TRY(PackedWitness witness, PackedWitness::create(layout));
  WitnessBuilder header_builder(witness.header_slice());
  const auto header = circuit.header(header_builder);
  BELFRY_CHECK(header_builder.finish());
  BELFRY_CHECK(try_for_each(executor, circuit.blocks(), [&](std::size_t i) {
    WitnessBuilder builder(witness.block_slice(i));
    circuit.block(builder, header, i);
    return builder.finish();
  }));
  return witness;
}

}  // namespace belfry::r1cs
