#pragma once

#include <cstdint>
#include <span>

#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// One row as it is stored.
struct RowView {
  std::span<const std::uint32_t> terms;  ///< column | code << 24
  const std::uint16_t* wide;             ///< the wide codes of this row, in order

  [[nodiscard]] static constexpr std::uint32_t column(std::uint32_t term) noexcept {
    return term & static_cast<std::uint32_t>(kColumnLimit - 1);
  }
  [[nodiscard]] static constexpr std::uint32_t code(std::uint32_t term) noexcept {
    return term >> kColumnBits;
  }
};

/// Reads the rows of a matrix in order, starting at any group. A view of the matrix.
class RowCursor {
 public:
  /// Starts at row group · kGroupRows; `group` is below the number of groups, or 0.
  RowCursor(const MatrixView& matrix, std::size_t group) noexcept
      : matrix_(&matrix), row_(group * kGroupRows) {
    if (matrix.groups.empty()) return;
    const RowGroup& start = matrix.groups[group];
    term_ = start.first_term;
    wide_ = matrix.wide.data() + start.first_wide;
    long_ = start.first_long;
  }

  /// The next row. There must be one.
  RowView next() noexcept {
    std::uint32_t length = matrix_->lengths[row_++];
    if (length == kLengthLong) length = matrix_->long_lengths[long_++];
    const RowView row{matrix_->terms.subspan(term_, length), wide_};
    term_ += length;
    for (const std::uint32_t term : row.terms) wide_ += RowView::code(term) == kCodeWide ? 1 : 0;
    return row;
  }

 private:
  const MatrixView* matrix_;
  std::size_t row_;
  std::size_t term_ = 0;
  const std::uint16_t* wide_ = nullptr;
  std::size_t long_ = 0;
};

/// Calls visit(column, coefficient) for each term of a row.
template <class Visit>
void for_each_term(const RowView& row, std::span<const Fr> dictionary, Visit&& visit) {
  const std::uint16_t* wide = row.wide;
  for (const std::uint32_t term : row.terms) {
    const std::uint32_t code = RowView::code(term);
    visit(RowView::column(term), code == kCodeWide ? dictionary[*wide++] : coded_value(code));
  }
}

}  // namespace belfry::r1cs
