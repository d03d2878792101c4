#include "belfry/groth16/derived/column_terms.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "belfry/r1cs/row_cursor.h"

namespace belfry::groth16 {
namespace {

/// Calls visit(column, row, coefficient as FoldTerm has it) for every term of C.
template <class Visit>
void for_each_entry(const r1cs::PartView& part, const Visit& visit) {
  r1cs::RowCursor cursor(part.matrix(r1cs::Matrix::kC), 0);
  for (std::uint64_t row = 0; row < part.counts.constraints; ++row) {
    const r1cs::RowView terms = cursor.next();
    const std::uint16_t* wide = terms.wide;
    for (const std::uint32_t term : terms.terms) {
      std::uint32_t code = r1cs::RowView::code(term);
      if (code == r1cs::kCodeWide) code += *wide++;
      visit(r1cs::RowView::column(term), static_cast<std::uint32_t>(row), code);
    }
  }
}

/// The order within a column: powers of two by falling exponent, then the others.
std::uint32_t rank_of(const core::FoldTerm& term) {
  return term.coefficient < r1cs::kCodedPowers ? r1cs::kCodedPowers - 1 - term.coefficient
                                               : term.coefficient;
}

}  // namespace

Result<ColumnTerms> ColumnTerms::of(const r1cs::PartView& part) {
  const std::uint64_t columns = part.counts.columns();
  const std::uint64_t terms = part.matrix(r1cs::Matrix::kC).terms.size();
  if (terms > std::numeric_limits<std::uint32_t>::max() ||
      part.counts.constraints > std::numeric_limits<std::uint32_t>::max()) {
    return fail(invalid("groth16.column_terms", "a part of the circuit has 2^32 terms or rows"));
  }
  std::vector<std::uint32_t> next(columns + 1);
  for_each_entry(part, [&](std::uint32_t column, std::uint32_t, std::uint32_t) {
    ++next[std::size_t{column} + 1];
  });
  for (std::size_t i = 0; i < columns; ++i) next[i + 1] += next[i];
  ColumnTerms out;
  out.terms.resize(terms);
  std::vector<std::uint32_t> begin = next;
  for_each_entry(part, [&](std::uint32_t column, std::uint32_t row, std::uint32_t code) {
    out.terms[next[column]++] = {row, code};
  });
  out.first_segment.reserve(columns + 1);
  for (std::size_t column = 0; column < columns; ++column) {
    out.first_segment.push_back(static_cast<std::uint32_t>(out.segments.size()));
    const auto first = out.terms.begin() + begin[column];
    std::sort(first, out.terms.begin() + begin[column + 1],
              [](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
    for (std::uint32_t at = begin[column]; at < begin[column + 1]; at += kSegmentTerms) {
      out.segments.push_back({at, std::min(at + kSegmentTerms, begin[column + 1])});
    }
  }
  out.first_segment.push_back(static_cast<std::uint32_t>(out.segments.size()));
  return out;
}

}  // namespace belfry::groth16
