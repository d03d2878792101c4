#include "belfry/r1cs/multiply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/column_sums.h"
#include "belfry/r1cs/row_cursor.h"
#include "belfry/r1cs/word_bits.h"

namespace belfry::r1cs {
namespace {

constexpr const char* kMultiplyStage = "r1cs.multiply";
/// Row groups that a task takes at least.
constexpr std::size_t kGroupGrain = 256;

/// The values of the coefficient codes, then those of the dictionary.
class CoefficientValues {
 public:
  explicit CoefficientValues(std::span<const Fr> dictionary) : dictionary_(dictionary) {
    for (std::uint32_t code = 0; code < kCodeWide; ++code) coded_[code] = coded_value(code);
  }
  /// The coefficient of a term; consumes a wide code where there is one.
  [[nodiscard]] const Fr& next(std::uint32_t code, const std::uint16_t*& wide) const {
    return code == kCodeWide ? dictionary_[*wide++] : coded_[code];
  }

 private:
  std::array<Fr, kCodeWide> coded_{};
  std::span<const Fr> dictionary_;
};

/// coefficient · value, without a multiplication where the code is that of 1 or -1.
Fr scaled(const Fr& value, std::uint32_t code, const Fr& coefficient) {
  if (code == 0) return value;
  if (code == kCodeMinusOne) return -value;
  return value * coefficient;
}

/// For each word of a class bitmap, how many field elements come before it.
std::vector<std::uint32_t> field_ranks(const PartView& part) {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(part.aux_is_bit.size());
  std::uint32_t before = 0;
  for (const std::uint64_t mask : part.aux_is_bit) {
    ranks.push_back(before);
    before += static_cast<std::uint32_t>(std::popcount(~mask));
  }
  return ranks;
}

/// What the columns of one part stand for: slots and inputs as elements, aux as bits or elements.
struct ColumnValuesView {
  std::span<const Fr> special;  ///< slots, then inputs
  std::span<const std::uint64_t> is_bit;
  std::span<const std::uint64_t> ones;
  std::span<const std::uint32_t> ranks;
  std::span<const Fr> fields;
  std::uint32_t one_column;  ///< the column of ONE, or kColumnLimit
};

Fr row_value(const RowView& row, const ColumnValuesView& values, const CoefficientValues& codes) {
  Fr sum = Fr::zero();
  const std::uint16_t* wide = row.wide;
  const auto special = static_cast<std::uint32_t>(values.special.size());
  for (const std::uint32_t term : row.terms) {
    const std::uint32_t code = RowView::code(term);
    const std::uint32_t column = RowView::column(term);
    const Fr& coefficient = codes.next(code, wide);
    if (column < special) {
      sum += column == values.one_column ? coefficient
                                         : scaled(values.special[column], code, coefficient);
      continue;
    }
    const std::uint32_t aux = column - special;
    const std::uint64_t word = aux / kWordBits;
    const std::uint64_t bit = std::uint64_t{1} << (aux % kWordBits);
    if ((values.is_bit[word] & bit) != 0) {
      if ((values.ones[word] & bit) != 0) sum += coefficient;
      continue;
    }
    const auto below = static_cast<std::uint32_t>(std::popcount(~values.is_bit[word] & (bit - 1)));
    sum += scaled(values.fields[values.ranks[word] + below], code, coefficient);
  }
  return sum;
}

/// The rows of one part.
void multiply_part(const PartView& part, const MatrixView& matrix, const ColumnValuesView& values,
                   const CoefficientValues& codes, std::span<Fr> out, const Executor& executor) {
  executor.parallel_for(matrix.groups.size(), kGroupGrain, [&](std::size_t begin, std::size_t end) {
    RowCursor cursor(matrix, begin);
    const std::uint64_t last = std::min<std::uint64_t>(end * kGroupRows, part.counts.constraints);
    for (std::uint64_t row = begin * kGroupRows; row < last; ++row) {
      out[row] = row_value(cursor.next(), values, codes);
    }
  });
}

/// The value behind a header column.
Fr header_value(const Shape& shape, const PackedWitness& witness, std::uint32_t column) {
  return WitnessLookupView(shape, witness).value(shape.header_variable(column));
}

std::uint32_t one_column_of(const Shape& shape, std::uint64_t block) {
  const auto bindings = shape.bindings(block);
  const auto found = std::find(bindings.begin(), bindings.end(), 0U);
  if (found == bindings.end()) return static_cast<std::uint32_t>(kColumnLimit);
  return static_cast<std::uint32_t>(found - bindings.begin());
}

/// What the products of all blocks have in common.
struct BlockJobView {
  const Shape& shape;
  Matrix matrix;
  const PackedWitness& witness;
  const CoefficientValues& codes;
  std::span<const std::uint32_t> ranks;
};

void multiply_block(const BlockJobView& job, std::uint64_t block, std::span<Fr> out,
                    const Executor& executor) {
  const Shape& shape = job.shape;
  const PackedWitness& witness = job.witness;
  const PartView& part = shape.block();
  const WitnessPartView values = witness.block(block);
  std::vector<Fr> special;
  for (const std::uint32_t column : shape.bindings(block)) {
    special.push_back(header_value(shape, witness, column));
  }
  special.insert(special.end(), values.inputs.begin(), values.inputs.end());
  const auto ones = ones_bitmap(part, values.bits);
  multiply_part(
      part, part.matrix(job.matrix),
      {special, part.aux_is_bit, ones, job.ranks, values.fields, one_column_of(shape, block)},
      job.codes, out.subspan(shape.block_row_offset(block), part.counts.constraints), executor);
}

Error size_error(std::string what, std::uint64_t expected, std::uint64_t found) {
  return Error{ErrorCode::kInvalidUsage, kMultiplyStage, std::move(what)}.but(
      std::to_string(expected), std::to_string(found));
}

/// out[column] += coefficient · weight for all terms of the rows of a part.
void accumulate_part(const PartView& part, const MatrixView& matrix, const CoefficientValues& codes,
                     std::span<const Fr> weights, std::span<Fr> special, std::span<Fr> aux) {
  RowCursor cursor(matrix, 0);
  for (std::uint64_t row = 0; row < part.counts.constraints; ++row) {
    const RowView terms = cursor.next();
    const std::uint16_t* wide = terms.wide;
    for (const std::uint32_t term : terms.terms) {
      const std::uint32_t code = RowView::code(term);
      const std::uint32_t column = RowView::column(term);
      const Fr& coefficient = codes.next(code, wide);
      Fr& out = column < special.size() ? special[column] : aux[column - special.size()];
      out += scaled(weights[row], code, coefficient);
    }
  }
}

}  // namespace

Result<void> multiply(const Shape& shape, Matrix matrix, const PackedWitness& witness,
                      std::span<Fr> out, const Executor& executor) {
  if (!(witness.layout() == shape.layout())) {
    return fail(ErrorCode::kInvalidUsage, kMultiplyStage, "the witness is one of another shape");
  }
  if (out.size() < shape.rows()) {
    return fail(size_error("the product has no room for all rows", shape.rows(), out.size()));
  }
  const CoefficientValues codes(shape.dictionary());
  const PartView& header = shape.header();
  const WitnessPartView values = witness.header();
  const auto ones = ones_bitmap(header, values.bits);
  const auto ranks = field_ranks(header);
  multiply_part(header, header.matrix(matrix),
                {values.inputs, header.aux_is_bit, ones, ranks, values.fields, 0}, codes, out,
                executor);
  const auto block_ranks = field_ranks(shape.block());
  const BlockJobView job{shape, matrix, witness, codes, block_ranks};
  executor.for_each(shape.blocks(),
                    [&](std::size_t block) { multiply_block(job, block, out, executor); });
  const std::span<Fr> rest = out.subspan(shape.constraints());
  std::fill(rest.begin(), rest.end(), Fr::zero());
  if (matrix == Matrix::kA)
    std::copy(witness.inputs().begin(), witness.inputs().end(), rest.begin());
  return {};
}

void accumulate_header(const Shape& shape, Matrix matrix, std::span<const Fr> weights,
                       std::span<Fr> special, std::span<Fr> aux) {
  std::fill(special.begin(), special.end(), Fr::zero());
  std::fill(aux.begin(), aux.end(), Fr::zero());
  accumulate_part(shape.header(), shape.header().matrix(matrix),
                  CoefficientValues(shape.dictionary()), weights, special, aux);
}

void accumulate_block(const Shape& shape, Matrix matrix, std::span<const Fr> weights,
                      std::span<Fr> special, std::span<Fr> aux) {
  std::fill(special.begin(), special.end(), Fr::zero());
  std::fill(aux.begin(), aux.end(), Fr::zero());
  accumulate_part(shape.block(), shape.block().matrix(matrix),
                  CoefficientValues(shape.dictionary()), weights, special, aux);
}

void add_block_special(const Shape& shape, std::uint64_t block, std::span<const Fr> special,
                       std::span<Fr> inputs, std::span<Fr> header_aux) {
  const auto bindings = shape.bindings(block);
  const std::uint64_t header_inputs = shape.header().counts.inputs;
  for (std::size_t slot = 0; slot < bindings.size(); ++slot) {
    const std::uint32_t column = bindings[slot];
    (column < header_inputs ? inputs[column] : header_aux[column - header_inputs]) += special[slot];
  }
  std::copy(special.begin() + static_cast<std::ptrdiff_t>(bindings.size()), special.end(),
            inputs.begin() + static_cast<std::ptrdiff_t>(shape.block_input_offset(block)));
}

Result<void> accumulate_columns(const Shape& shape, Matrix matrix, std::span<const Fr> weights,
                                std::span<Fr> inputs, std::span<Fr> aux, const Executor& executor) {
  if (weights.size() != shape.rows()) {
    return fail(size_error("there must be one weight a row", shape.rows(), weights.size()));
  }
  if (inputs.size() != shape.inputs() || aux.size() != shape.aux()) {
    return fail(size_error("there must be one sum a variable", shape.inputs() + shape.aux(),
                           inputs.size() + aux.size()));
  }
  const PartCounts& header = shape.header().counts;
  const PartCounts& block = shape.block().counts;
  std::fill(inputs.begin(), inputs.end(), Fr::zero());
  accumulate_header(shape, matrix, weights.first(header.constraints), inputs.first(header.inputs),
                    aux.first(header.aux));

  // Blocks share the header's variables only; their parts of those sums are added up afterwards.
  std::vector<std::vector<Fr>> special(shape.blocks());
  executor.for_each(shape.blocks(), [&](std::size_t i) {
    special[i].resize(block.slots + block.inputs);
    accumulate_block(shape, matrix, weights.subspan(shape.block_row_offset(i), block.constraints),
                     special[i], aux.subspan(shape.block_aux_offset(i), block.aux));
  });
  for (std::uint64_t i = 0; i < shape.blocks(); ++i) {
    add_block_special(shape, i, special[i], inputs, aux.first(header.aux));
  }
  if (matrix == Matrix::kA) {
    for (std::uint64_t i = 0; i < inputs.size(); ++i) inputs[i] += weights[shape.constraints() + i];
  }
  return {};
}

}  // namespace belfry::r1cs
