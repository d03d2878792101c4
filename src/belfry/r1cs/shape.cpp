#include "belfry/r1cs/shape.h"

#include <bit>

#include "belfry/r1cs/coefficient.h"

namespace belfry::r1cs {
namespace {

std::uint64_t count_ones(std::span<const std::uint64_t> bitmap) {
  std::uint64_t count = 0;
  for (const std::uint64_t word : bitmap) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

PartLayout layout_of(const PartCounts& counts) {
  return {counts.inputs, counts.bits, counts.fields()};
}

}  // namespace

Fr coded_value(std::uint32_t code) noexcept {
  return code == kCodeMinusOne ? -Fr::one() : powers_of_two()[code];
}

std::span<const std::uint32_t> Shape::bindings(std::uint64_t block) const noexcept {
  const std::uint64_t slots = view_.block.counts.slots;
  const bool shared = view_.bindings.size() == slots;
  return view_.bindings.subspan(shared ? 0 : block * slots, slots);
}

std::uint64_t Shape::dense_a_aux() const noexcept {
  return count_ones(view_.header.a_aux_density) + blocks() * count_ones(view_.block.a_aux_density);
}
std::uint64_t Shape::dense_b_aux() const noexcept {
  return count_ones(view_.header.b_aux_density) + blocks() * count_ones(view_.block.b_aux_density);
}
std::uint64_t Shape::dense_b_inputs() const noexcept {
  return count_ones(view_.header.b_input_density) +
         blocks() * count_ones(view_.block.b_input_density);
}

WitnessLayout Shape::layout() const noexcept {
  return {layout_of(view_.header.counts), layout_of(view_.block.counts), view_.blocks};
}

Variable Shape::header_variable(std::uint32_t column) const noexcept {
  const std::uint64_t inputs = view_.header.counts.inputs;
  if (column < inputs) return Variable::input(column);
  return Variable::aux(static_cast<std::uint32_t>(column - inputs));
}

Variable Shape::block_variable(std::uint64_t block, std::uint32_t column) const noexcept {
  const PartCounts& counts = view_.block.counts;
  if (column < counts.slots) return header_variable(bindings(block)[column]);
  const std::uint64_t own = column - counts.slots;
  if (own < counts.inputs) {
    return Variable::input(static_cast<std::uint32_t>(block_input_offset(block) + own));
  }
  return Variable::aux(static_cast<std::uint32_t>(block_aux_offset(block) + own - counts.inputs));
}

}  // namespace belfry::r1cs
