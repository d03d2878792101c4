#include "belfry/r1cs/block_slots.h"

#include <algorithm>
#include <string>
#include <utility>

namespace belfry::r1cs::detail {
namespace {

constexpr const char* kRecordStage = "r1cs.shape.record";

bool distinct(std::vector<Variable> variables) {
  std::sort(variables.begin(), variables.end());
  return std::adjacent_find(variables.begin(), variables.end()) == variables.end();
}

}  // namespace

std::uint32_t BlockSlots::slot_of(Variable variable) {
  std::uint32_t& slot = (variable.is_input() ? of_input_ : of_aux_)[variable.index()];
  if (slot == kNone) {
    slot = static_cast<std::uint32_t>(variables_.size());
    variables_.push_back(variable);
    for (std::vector<bool>& dense : dense_) dense.push_back(false);
  }
  return slot;
}

bool BlockSlots::see(std::uint32_t slot, Variable variable) {
  if (slot >= variables_.size()) return false;
  std::optional<Variable>& bound = later_.back()[slot];
  if (!bound) bound = variable;
  return *bound == variable;
}

std::vector<std::uint32_t> BlockSlots::places() const {
  Variables sorted = variables_;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> places;
  for (const Variable variable : variables_) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), variable);
    places.push_back(static_cast<std::uint32_t>(at - sorted.begin()));
  }
  return places;
}

Result<void> BlockSlots::check(std::uint64_t blocks, const BlockArguments& arguments) const {
  if (arguments.empty()) return {};
  const auto refuse = [](std::string message) {
    return fail(ErrorCode::kInvalidUsage, kRecordStage, std::move(message));
  };
  if (arguments.size() != blocks) return refuse("the blocks' arguments are not one list a block");
  for (const Variables& list : arguments) {
    if (list.size() != arguments.front().size()) {
      return refuse("a block has another number of arguments than the first");
    }
    const bool known = std::all_of(list.begin(), list.end(),
                                   [this](Variable variable) { return in_header(variable); });
    if (!known) return refuse("an argument of a block is no variable of the header");
    if (!distinct(list)) return refuse("a block has a variable as an argument twice");
  }
  return {};
}

std::vector<BlockSlots::Variables> BlockSlots::named_by(const BlockArguments& arguments,
                                                        std::uint64_t blocks) const {
  std::vector<Variables> bound(arguments.empty() ? 1 : blocks, variables_);
  if (arguments.empty()) return bound;
  for (std::size_t j = 0; j < arguments.front().size(); ++j) {
    const Variable first = arguments.front()[j];
    const std::uint32_t slot = (first.is_input() ? of_input_ : of_aux_)[first.index()];
    if (slot == kNone) continue;  // the blocks do not look at it
    for (std::size_t i = 0; i < bound.size(); ++i) bound[i][slot] = arguments[i][j];
  }
  return bound;
}

bool BlockSlots::seen_otherwise(const std::vector<Variables>& named) const {
  for (std::size_t i = 0; i < later_.size(); ++i) {
    const Variables& expected = named[named.size() == 1 ? 0 : i + 1];
    const bool same = std::equal(
        later_[i].begin(), later_[i].end(), expected.begin(),
        [](const auto& bound, Variable variable) { return !bound || *bound == variable; });
    if (!same) return true;
  }
  return false;
}

std::vector<BlockSlots::Variables> BlockSlots::seen() const {
  std::vector<Variables> bound(later_.size() + 1, variables_);
  for (std::size_t i = 0; i < later_.size(); ++i) {
    for (std::size_t slot = 0; slot < variables_.size(); ++slot) {
      bound[i + 1][slot] = later_[i][slot].value_or(variables_[slot]);
    }
  }
  return bound;
}

void BlockSlots::mark_header(const std::vector<Variables>& bound, PartStore& header) const {
  const std::vector<bool>& in_a = dense_[0];
  const std::vector<bool>& in_b = dense_[1];
  const auto mark = [&](std::size_t slot, Variable variable) {
    const std::uint32_t index = variable.index();
    if (variable.is_input()) {
      if (in_b[slot]) header.b_input_density.set(index);
      return;
    }
    if (in_a[slot]) header.a_aux_density.set(index);
    if (in_b[slot]) header.b_aux_density.set(index);
  };
  for (const Variables& block : bound) {
    for (std::size_t slot = 0; slot < block.size(); ++slot) mark(slot, block[slot]);
  }
}

Result<std::vector<std::uint32_t>> BlockSlots::bind(std::uint64_t blocks,
                                                    const BlockArguments& arguments,
                                                    PartStore& header) const {
  BELFRY_CHECK(check(blocks, arguments));
  std::vector<Variables> bound = named_by(arguments, blocks);
  if (seen_otherwise(bound)) {
    if (!arguments.empty()) {
      return fail(ErrorCode::kInvalidUsage, kRecordStage,
                  "the blocks see other variables of the header than their arguments say");
    }
    bound = seen();
  }
  for (const Variables& block : bound) {
    if (distinct(block)) continue;
    return fail(ErrorCode::kInvalidUsage, kRecordStage,
                "a block sees a variable of the header in places where the first sees two");
  }
  mark_header(bound, header);

  const std::vector<std::uint32_t> place = places();
  std::vector<std::uint32_t> columns(bound.size() * place.size());
  for (std::size_t i = 0; i < bound.size(); ++i) {
    for (std::size_t slot = 0; slot < place.size(); ++slot) {
      const Variable variable = bound[i][slot];
      const std::uint64_t before = variable.is_input() ? 0 : header.counts.inputs;
      columns[i * place.size() + place[slot]] =
          static_cast<std::uint32_t>(before + variable.index());
    }
  }
  return columns;
}

}  // namespace belfry::r1cs::detail
