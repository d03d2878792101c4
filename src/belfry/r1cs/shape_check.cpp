#include "belfry/r1cs/shape_check.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "belfry/r1cs/row_cursor.h"
#include "belfry/r1cs/word_bits.h"

namespace belfry::r1cs {
namespace {

constexpr const char* kCheckStage = "r1cs.shape.check";

Error contradiction(std::string section, std::string message, std::uint64_t expected,
                    std::uint64_t found) {
  return invalid(kCheckStage, std::move(message))
      .in_section(std::move(section))
      .but(std::to_string(expected), std::to_string(found));
}

Result<void> expect(const std::string& section, const char* message, std::uint64_t expected,
                    std::uint64_t found) {
  if (expected == found) return {};
  return fail(contradiction(section, message, expected, found));
}

std::uint64_t words_of(std::uint64_t bits) { return bits / kWordBits + (bits % kWordBits != 0); }

/// Right length, unused bits zero; returns how many bits are set.
Result<std::uint64_t> check_bitmap(const std::string& section,
                                   std::span<const std::uint64_t> bitmap, std::uint64_t bits) {
  BELFRY_CHECK(expect(section, "a bitmap has another length", words_of(bits), bitmap.size()));
  std::uint64_t count = 0;
  for (const std::uint64_t word : bitmap) count += static_cast<std::uint64_t>(std::popcount(word));
  const std::uint64_t used = bits % kWordBits;
  if (used != 0 && (bitmap.back() >> used) != 0) {
    return fail(
        contradiction(section, "bits beyond the last variable are set", 0, bitmap.back() >> used));
  }
  return count;
}

/// The densities as the rows have them.
struct Density {
  std::vector<std::uint64_t> a_aux, b_aux, b_input;

  explicit Density(const PartCounts& counts)
      : a_aux(words_of(counts.aux)),
        b_aux(words_of(counts.aux)),
        b_input(words_of(counts.inputs)) {}

  /// `column` is one of [inputs | aux].
  void mark(Matrix matrix, const PartCounts& counts, std::uint64_t column) {
    if (matrix == Matrix::kC) return;
    const bool in_a = matrix == Matrix::kA;
    if (column >= counts.inputs) return set(in_a ? a_aux : b_aux, column - counts.inputs);
    if (!in_a) set(b_input, column);
  }

 private:
  static void set(std::vector<std::uint64_t>& bitmap, std::uint64_t i) {
    bitmap[i / kWordBits] |= std::uint64_t{1} << (i % kWordBits);
  }
};

/// Walks the rows of one matrix and checks every step.
class MatrixChecker {
 public:
  MatrixChecker(std::string name, const MatrixView& matrix, const PartCounts& counts,
                std::uint64_t dictionary)
      : name_(std::move(name)), matrix_(matrix), counts_(counts), dictionary_(dictionary) {}

  /// `visit(column)` is called for each term.
  template <class Visit>
  Result<void> run(Visit&& visit) {
    BELFRY_CHECK(check_sizes());
    for (std::uint64_t row = 0; row < counts_.constraints; ++row) {
      BELFRY_CHECK(check_row(row, visit));
    }
    BELFRY_CHECK(expect(name_ + "terms", "terms are left over", term_, matrix_.terms.size()));
    BELFRY_CHECK(expect(name_ + "wide", "wide codes are left over", wide_, matrix_.wide.size()));
    return expect(name_ + "long_lengths", "long lengths are left over", long_,
                  matrix_.long_lengths.size());
  }

 private:
  template <class Visit>
  Result<void> check_row(std::uint64_t row, Visit& visit) {
    if (row % kGroupRows == 0) BELFRY_CHECK(check_group(matrix_.groups[row / kGroupRows]));
    BELFRY_TRY(const std::uint64_t length, row_length(row));
    for (const std::uint64_t end = term_ + length; term_ < end; ++term_) {
      const std::uint32_t term = matrix_.terms[term_];
      BELFRY_CHECK(check_term(term));
      visit(RowView::column(term));
    }
    return {};
  }
  [[nodiscard]] Result<void> check_sizes() const {
    BELFRY_CHECK(expect(name_ + "lengths", "there must be one length a row", counts_.constraints,
                        matrix_.lengths.size()));
    const std::uint64_t groups =
        counts_.constraints / kGroupRows + (counts_.constraints % kGroupRows != 0 ? 1 : 0);
    BELFRY_CHECK(
        expect(name_ + "groups", "another number of row groups", groups, matrix_.groups.size()));
    constexpr std::uint64_t kTermLimit = ~std::uint32_t{0};
    if (matrix_.terms.size() <= kTermLimit) return {};
    return fail(contradiction(name_ + "terms", "more terms than a group can name", kTermLimit,
                              matrix_.terms.size()));
  }
  [[nodiscard]] Result<void> check_group(const RowGroup& group) const {
    const std::string section = name_ + "groups";
    BELFRY_CHECK(expect(section, "a group starts at another term", term_, group.first_term));
    BELFRY_CHECK(expect(section, "a group starts at another wide code", wide_, group.first_wide));
    return expect(section, "a group starts at another long length", long_, group.first_long);
  }
  Result<std::uint64_t> row_length(std::uint64_t row) {
    std::uint64_t length = matrix_.lengths[row];
    if (length == kLengthLong) {
      if (long_ >= matrix_.long_lengths.size()) {
        return fail(contradiction(name_ + "long_lengths", "too few long lengths", long_ + 1,
                                  matrix_.long_lengths.size()));
      }
      length = matrix_.long_lengths[long_++];
    }
    const std::uint64_t left = matrix_.terms.size() - term_;
    if (length <= left) return length;
    return fail(
        contradiction(name_ + "terms", "a row is longer than the terms left", left, length));
  }
  Result<void> check_term(std::uint32_t term) {
    const std::uint32_t column = RowView::column(term);
    if (column >= counts_.columns()) {
      return fail(
          contradiction(name_ + "terms", "a column beyond the last", counts_.columns(), column));
    }
    if (RowView::code(term) != kCodeWide) return {};
    if (wide_ >= matrix_.wide.size()) {
      return fail(
          contradiction(name_ + "wide", "too few wide codes", wide_ + 1, matrix_.wide.size()));
    }
    const std::uint16_t entry = matrix_.wide[wide_++];
    if (entry < dictionary_) return {};
    return fail(contradiction(name_ + "wide", "a coefficient that the dictionary lacks",
                              dictionary_, entry));
  }

  std::string name_;
  const MatrixView& matrix_;
  const PartCounts& counts_;
  std::uint64_t dictionary_;
  std::uint64_t term_ = 0;
  std::uint64_t wide_ = 0;
  std::uint64_t long_ = 0;
};

Result<void> check_counts(const std::string& name, const PartView& part) {
  const PartCounts& counts = part.counts;
  // Each is compared with the limit alone first, so that the sum can't overflow.
  for (const std::uint64_t count : {counts.slots, counts.inputs, counts.aux, counts.columns()}) {
    if (count > kColumnLimit) {
      return fail(
          contradiction(name + "counts", "a part has too many columns", kColumnLimit, count));
    }
  }
  BELFRY_TRY(const std::uint64_t bits,
             check_bitmap(name + "aux_is_bit", part.aux_is_bit, counts.aux));
  BELFRY_CHECK(expect(name + "aux_is_bit", "another number of bit variables", counts.bits, bits));
  BELFRY_CHECK(check_bitmap(name + "a_aux_density", part.a_aux_density, counts.aux));
  BELFRY_CHECK(check_bitmap(name + "b_aux_density", part.b_aux_density, counts.aux));
  BELFRY_CHECK(check_bitmap(name + "b_input_density", part.b_input_density, counts.inputs));
  return {};
}

Result<void> check_bindings(const ShapeView& view) {
  const std::uint64_t slots = view.block.counts.slots;
  const bool shared = view.bindings.size() == slots;
  const bool own = slots != 0 && view.bindings.size() % slots == 0 &&
                   view.bindings.size() / slots == view.blocks;
  if (!shared && !own) {
    return fail(contradiction("bindings", "bindings for another number of slots", slots,
                              view.bindings.size()));
  }
  const std::uint64_t columns = view.header.counts.columns();
  for (const std::uint32_t column : view.bindings) {
    if (column < columns) continue;
    return fail(contradiction("bindings", "a slot bound to no header variable", columns, column));
  }
  return {};
}

/// Totals stay within what a Variable and a domain can name.
Result<void> check_totals(const ShapeView& view) {
  constexpr std::uint64_t kRowLimit = std::uint64_t{1} << 32;
  const PartCounts& header = view.header.counts;
  const PartCounts& block = view.block.counts;
  const auto check = [&](const char* what, std::uint64_t first, std::uint64_t each,
                         std::uint64_t limit) -> Result<void> {
    const bool fits = first < limit && (each == 0 || view.blocks <= (limit - 1 - first) / each);
    if (fits && view.blocks < limit) return {};
    return fail(contradiction("blocks", what, limit, view.blocks));
  };
  if (view.blocks == 0 && (block.columns() != 0 || block.constraints != 0)) {
    return fail(contradiction("blocks", "a block that occurs nowhere", 0, block.columns()));
  }
  if (header.inputs == 0) return fail(contradiction("header.counts", "ONE is missing", 1, 0));
  BELFRY_CHECK(check("too many inputs", header.inputs, block.inputs, Variable::kIndexLimit));
  BELFRY_CHECK(check("too many aux", header.aux, block.aux, Variable::kIndexLimit));
  return check("too many rows", header.constraints, block.constraints, kRowLimit);
}

Result<void> check_density(const std::string& name, const PartView& part, const Density& found) {
  const auto same = [&](const char* what, std::span<const std::uint64_t> claimed,
                        const std::vector<std::uint64_t>& rows) -> Result<void> {
    // check_counts saw that they are of one length.
    const auto differs = std::mismatch(claimed.begin(), claimed.end(), rows.begin());
    if (differs.first == claimed.end()) return {};
    return fail(contradiction(name + what, "a density bitmap contradicts the rows", *differs.second,
                              *differs.first));
  };
  BELFRY_CHECK(same("a_aux_density", part.a_aux_density, found.a_aux));
  BELFRY_CHECK(same("b_aux_density", part.b_aux_density, found.b_aux));
  return same("b_input_density", part.b_input_density, found.b_input);
}

/// One matrix of both parts; notes which variables its rows name.
Result<void> check_matrices(const ShapeView& view, Matrix matrix, Density& header, Density& block) {
  const std::string name = std::string(1, "abc"[static_cast<std::size_t>(matrix)]) + ".";
  const PartCounts& outer = view.header.counts;
  const PartCounts& inner = view.block.counts;
  const std::uint64_t dictionary = view.dictionary.size();
  const auto of_header = [&](std::uint32_t column) { header.mark(matrix, outer, column); };
  BELFRY_CHECK(MatrixChecker("header." + name, view.header.matrix(matrix), outer, dictionary)
                   .run(of_header));
  std::vector<bool> slots(inner.slots, false);
  const auto of_block = [&](std::uint32_t column) {
    if (column < inner.slots) {
      slots[column] = true;
    } else {
      block.mark(matrix, inner, column - inner.slots);
    }
  };
  BELFRY_CHECK(
      MatrixChecker("block." + name, view.block.matrix(matrix), inner, dictionary).run(of_block));
  for (std::size_t k = 0; k < view.bindings.size(); ++k) {
    if (slots[k % inner.slots]) header.mark(matrix, outer, view.bindings[k]);
  }
  return {};
}

}  // namespace

Result<void> check_shape(const ShapeView& view) {
  BELFRY_CHECK(check_counts("header.", view.header));
  BELFRY_CHECK(check_counts("block.", view.block));
  BELFRY_CHECK(check_totals(view));
  BELFRY_CHECK(check_bindings(view));
  Density header(view.header.counts);
  Density block(view.block.counts);
  for (std::size_t i = 0; i < kMatrices; ++i) {
    BELFRY_CHECK(check_matrices(view, static_cast<Matrix>(i), header, block));
  }
  BELFRY_CHECK(check_density("header.", view.header, header));
  return check_density("block.", view.block, block);
}

}  // namespace belfry::r1cs
