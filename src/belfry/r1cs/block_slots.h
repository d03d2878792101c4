#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/r1cs/shape.h"
#include "belfry/r1cs/shape_recorder.h"
#include "belfry/r1cs/shape_store.h"

namespace belfry::r1cs::detail {

/// The slots of the first block, numbered as its rows name header variables, and which variables
/// later blocks have in the same places.
class BlockSlots {
 public:
  /// A variable of the header was allocated.
  void add_header_variable(bool is_input) { (is_input ? of_input_ : of_aux_).push_back(kNone); }
  /// The slot of a header variable in the first block; a new one gets the next number.
  [[nodiscard]] std::uint32_t slot_of(Variable variable);
  /// A row of matrix A or B of a block has a term in that slot.
  void mark(Matrix matrix, std::uint32_t slot) {
    if (matrix != Matrix::kC) dense_[static_cast<std::size_t>(matrix)][slot] = true;
  }

  /// A later block begins, and has a header variable where the first one has a slot. False if it
  /// had another one there before, or if there is no such slot.
  void begin_later_block() { later_.emplace_back(variables_.size()); }
  [[nodiscard]] bool see(std::uint32_t slot, Variable variable);

  [[nodiscard]] std::uint64_t size() const noexcept { return variables_.size(); }
  /// Final place of each slot: in the order of the first block's variables.  // (slots)
  [[nodiscard]] std::vector<std::uint32_t> places() const;
  /// The header columns behind the slots in their final order, once if all blocks have the same,
  /// else block after block. Marks the densities of the header that come from blocks' rows.
  /// Errors as ShapeRecorder::finish has them about arguments.
  [[nodiscard]] Result<std::vector<std::uint32_t>> bind(std::uint64_t blocks,
                                                        const BlockArguments& arguments,
                                                        PartStore& header) const;

 private:
  using Variables = std::vector<Variable>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard]] Result<void> check(std::uint64_t blocks, const BlockArguments& arguments) const;
  [[nodiscard]] std::vector<Variables> named_by(const BlockArguments& arguments,
                                                std::uint64_t blocks) const;
  [[nodiscard]] bool seen_otherwise(const std::vector<Variables>& named) const;
  [[nodiscard]] std::vector<Variables> seen() const;
  void mark_header(const std::vector<Variables>& bound, PartStore& header) const;
  [[nodiscard]] bool in_header(Variable variable) const noexcept {
    return variable.index() < (variable.is_input() ? of_input_ : of_aux_).size();
  }

  std::vector<std::uint32_t> of_input_;  ///< slot of a header variable, or kNone
  std::vector<std::uint32_t> of_aux_;
  Variables variables_;                     ///< of the first block  // (slots)
  std::array<std::vector<bool>, 2> dense_;  ///< in A, in B          // (slots)
  /// Of the later blocks, as far as their rows have come.
  std::vector<std::vector<std::optional<Variable>>> later_;  // (blocks - 1, slots)
};

}  // namespace belfry::r1cs::detail
