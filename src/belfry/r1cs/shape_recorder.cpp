#include "belfry/r1cs/shape_recorder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "belfry/r1cs/block_slots.h"
#include "belfry/r1cs/row_cursor.h"
#include "belfry/r1cs/shape_store.h"

namespace belfry::r1cs {
namespace {

using detail::MatrixStore;
using detail::PartStore;

/// While a part is recorded the numbers of its inputs and slots are not known yet, so columns are
/// provisional: aux count from 0 upwards, inputs and slots by turns from the top downwards.
constexpr std::uint32_t kTop = static_cast<std::uint32_t>(kColumnLimit - 1);
constexpr std::uint32_t provisional_input(std::uint32_t index) { return kTop - 2 * index; }
constexpr std::uint32_t provisional_slot(std::uint32_t slot) { return kTop - 2 * slot - 1; }

/// Keeps the lists of a recorded shape alive.
struct RecordedShape final : ShapeStorage {
  PartStore header;
  PartStore block;
  std::vector<std::uint32_t> bindings;
  std::vector<Fr> dictionary;
};

/// Provisional columns to final ones: [slots | inputs | aux].
class ColumnSettler {
 public:
  /// `slot_places`: where each provisional slot stands in the end.
  ColumnSettler(const PartCounts& counts, std::span<const std::uint32_t> slot_places)
      : slots_(static_cast<std::uint32_t>(counts.slots)),
        inputs_(static_cast<std::uint32_t>(counts.inputs)),
        special_(2 * std::max(slots_, inputs_)),
        slot_places_(slot_places) {}

  void settle(PartStore& part) const {
    for (MatrixStore& matrix : part.matrices) {
      for (std::uint32_t& term : matrix.terms) term = (term & ~kTop) | settled(term & kTop);
    }
  }

 private:
  [[nodiscard]] std::uint32_t settled(std::uint32_t column) const {
    const std::uint32_t from_top = kTop - column;
    if (from_top >= special_) return slots_ + inputs_ + column;
    return from_top % 2 == 0 ? slots_ + from_top / 2 : slot_places_[from_top / 2];
  }

  std::uint32_t slots_;
  std::uint32_t inputs_;
  std::uint32_t special_;
  std::span<const std::uint32_t> slot_places_;
};

}  // namespace

struct ShapeRecorder::State {
  PartStore header;
  PartStore block;
  detail::CoefficientCoder coder;
  detail::BlockSlots slots;
  std::uint64_t blocks = 0;  ///< begun
  std::uint64_t input_base = 0;
  std::uint64_t aux_base = 0;
  PartCounts seen;                            ///< of the present block, when it is a later one
  std::array<MatrixView, kMatrices> first{};  ///< the first block, once it is complete
  std::vector<RowCursor> cursors;             ///< over its rows, while a later one is compared
  bool too_wide = false;
  bool differs = false;

  [[nodiscard]] bool later_block() const { return blocks > 1; }
  [[nodiscard]] PartStore& part() { return blocks == 0 ? header : block; }
  [[nodiscard]] PartCounts& counts() { return later_block() ? seen : part().counts; }

  [[nodiscard]] bool of_header(Variable variable) const;
  [[nodiscard]] std::uint32_t column_of(Variable variable);
  [[nodiscard]] bool stands_at(Variable variable, std::uint32_t column);
  void mark_density(Matrix which, Variable variable);
  void append_row(const LinearCombination& lc, std::size_t which);
  void compare_row(const LinearCombination& lc, std::size_t which);
  void close_block();
  [[nodiscard]] Result<void> check(std::uint64_t expected_blocks);
};

/// Whether a block that names the variable names one of the header's.
bool ShapeRecorder::State::of_header(Variable variable) const {
  return variable.index() < (variable.is_input() ? header.counts.inputs : header.counts.aux);
}

std::uint32_t ShapeRecorder::State::column_of(Variable variable) {
  if (blocks == 0) {
    return variable.is_input() ? provisional_input(variable.index()) : variable.index();
  }
  if (of_header(variable)) return provisional_slot(slots.slot_of(variable));
  const std::uint64_t base = variable.is_input() ? input_base : aux_base;
  const auto own = static_cast<std::uint32_t>(variable.index() - base);
  return variable.is_input() ? provisional_input(own) : own;
}

/// Whether a variable of a later block is what a column of the first block stands for there.
bool ShapeRecorder::State::stands_at(Variable variable, std::uint32_t column) {
  const std::uint32_t from_top = kTop - column;
  const bool is_slot = column >= block.counts.aux && from_top % 2 == 1;
  if (of_header(variable)) return is_slot && slots.see(from_top / 2, variable);
  const std::uint64_t base = variable.is_input() ? input_base : aux_base;
  // Below the base there are the variables of other blocks.
  return variable.index() >= base && column_of(variable) == column;
}

void ShapeRecorder::State::mark_density(Matrix which, Variable variable) {
  if (which == Matrix::kC) return;
  const bool in_a = which == Matrix::kA;
  if (blocks > 0 && of_header(variable)) return slots.mark(which, slots.slot_of(variable));
  if (in_a && variable.is_input()) return;
  const std::uint64_t base = variable.is_input() ? input_base : aux_base;
  const std::uint64_t index = variable.index() - (blocks == 0 ? 0 : base);
  if (variable.is_input()) {
    part().b_input_density.set(index);
  } else {
    (in_a ? part().a_aux_density : part().b_aux_density).set(index);
  }
}

void ShapeRecorder::State::append_row(const LinearCombination& lc, std::size_t which) {
  MatrixStore& matrix = part().matrices[which];
  const auto terms = lc.terms();
  matrix.begin_row(static_cast<std::uint32_t>(terms.size()));
  for (const Term& term : terms) {
    const detail::CodedCoefficient coded = coder.code(lc, term);
    matrix.terms.push_back((column_of(term.variable) & kTop) | (coded.code << kColumnBits));
    if (coded.code == kCodeWide) matrix.wide.push_back(coded.wide);
    mark_density(static_cast<Matrix>(which), term.variable);
  }
}

void ShapeRecorder::State::compare_row(const LinearCombination& lc, std::size_t which) {
  const RowView row = cursors[which].next();
  const auto terms = lc.terms();
  if (terms.size() != row.terms.size()) {
    differs = true;
    return;
  }
  const std::uint16_t* wide = row.wide;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const detail::CodedCoefficient coded = coder.code(lc, terms[i]);
    const bool same = coded.code == RowView::code(row.terms[i]) &&
                      (coded.code != kCodeWide || coded.wide == *wide++) &&
                      stands_at(terms[i].variable, RowView::column(row.terms[i]));
    if (!same) differs = true;
  }
}

void ShapeRecorder::State::close_block() {
  if (!later_block()) return;
  const bool same = seen.inputs == block.counts.inputs && seen.aux == block.counts.aux &&
                    seen.bits == block.counts.bits && seen.constraints == block.counts.constraints;
  if (!same) differs = true;
}

Result<void> ShapeRecorder::State::check(std::uint64_t expected_blocks) {
  const auto refuse = [](std::string message) {
    return fail(ErrorCode::kInvalidUsage, "r1cs.shape.record", std::move(message));
  };
  block.counts.slots = slots.size();
  if (differs) return refuse("the blocks of the circuit are not equal");
  const bool blocks_fit =
      expected_blocks == 0 ? blocks == 0 : blocks == 1 || blocks == expected_blocks;
  if (!blocks_fit) return refuse("the circuit began another number of blocks than it has");
  if (!coder.fits()) return refuse("the circuit has more than 2^16 distinct coefficients");
  for (const PartStore* part : {&header, &block}) {
    const PartCounts& counts = part->counts;
    const std::uint64_t special = 2 * std::max(counts.inputs, counts.slots);
    if (too_wide || counts.aux + special > kColumnLimit) {
      return refuse("a part of the circuit has more than 2^24 columns");
    }
    for (const MatrixStore& matrix : part->matrices) {
      if (matrix.terms.size() <= ~std::uint32_t{0}) continue;
      return refuse("a matrix of the circuit has more than 2^32 terms");
    }
  }
  return {};
}

ShapeRecorder::ShapeRecorder() : state_(std::make_unique<State>()) {}
ShapeRecorder::~ShapeRecorder() = default;

void ShapeRecorder::on_input() {
  State& s = *state_;
  ++s.counts().inputs;
  if (!s.later_block()) s.part().b_input_density.push(false);
  if (s.blocks == 0) s.slots.add_header_variable(true);
}

void ShapeRecorder::on_aux(VariableClass kind) {
  State& s = *state_;
  const bool is_bit = kind == VariableClass::kBit;
  PartCounts& counts = s.counts();
  if (s.later_block()) {
    if (counts.aux >= s.block.counts.aux || s.block.aux_is_bit.test(counts.aux) != is_bit) {
      s.differs = true;
    }
  } else {
    PartStore& part = s.part();
    part.aux_is_bit.push(is_bit);
    part.a_aux_density.push(false);
    part.b_aux_density.push(false);
    if (s.blocks == 0) s.slots.add_header_variable(false);
  }
  ++counts.aux;
  if (is_bit) ++counts.bits;
  if (counts.aux >= kColumnLimit) s.too_wide = true;
}

void ShapeRecorder::on_constraint(const LinearCombination& a, const LinearCombination& b,
                                  const LinearCombination& c) {
  State& s = *state_;
  ++s.counts().constraints;
  if (s.later_block() && s.seen.constraints > s.block.counts.constraints) s.differs = true;
  // What can't be stored is only counted.
  if (s.too_wide || s.differs || !s.coder.fits()) return;
  const std::array<const LinearCombination*, kMatrices> row{&a, &b, &c};
  for (std::size_t which = 0; which < kMatrices; ++which) {
    if (s.later_block()) {
      s.compare_row(*row[which], which);
    } else {
      s.append_row(*row[which], which);
    }
  }
}

void ShapeRecorder::on_block() {
  State& s = *state_;
  s.close_block();
  const std::uint64_t done = s.blocks;  // blocks that are complete now
  ++s.blocks;
  s.input_base = s.header.counts.inputs + done * s.block.counts.inputs;
  s.aux_base = s.header.counts.aux + done * s.block.counts.aux;
  s.seen = {};
  if (!s.later_block()) return;
  s.slots.begin_later_block();
  s.cursors.clear();
  for (std::size_t which = 0; which < kMatrices; ++which) {
    s.first[which] = s.block.matrices[which].view();
    s.cursors.emplace_back(s.first[which], 0);
  }
}

Result<Shape> ShapeRecorder::finish(std::string circuit_id, std::uint64_t blocks,
                                    const BlockArguments& arguments) {
  const std::unique_ptr<State> s = std::exchange(state_, std::make_unique<State>());
  s->close_block();
  BELFRY_CHECK(s->check(blocks));
  auto stored = std::make_shared<RecordedShape>();
  BELFRY_TRY(stored->bindings, s->slots.bind(blocks, arguments, s->header));
  stored->header = std::move(s->header);
  stored->block = std::move(s->block);
  stored->dictionary = s->coder.take_dictionary();
  // Slots in the order of the first block's variables, so that its rows stay canonical.
  const std::vector<std::uint32_t> places = s->slots.places();
  ColumnSettler(stored->header.counts, {}).settle(stored->header);
  ColumnSettler(stored->block.counts, places).settle(stored->block);
  ShapeView view{std::move(circuit_id), blocks,           stored->header.view(),
                 stored->block.view(),  stored->bindings, stored->dictionary};
  return Shape(std::move(view), std::move(stored));
}

}  // namespace belfry::r1cs
