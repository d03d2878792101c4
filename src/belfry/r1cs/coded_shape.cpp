#include "belfry/r1cs/coded_shape.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "belfry/r1cs/row_cursor.h"
#include "belfry/r1cs/word_bits.h"

namespace belfry::r1cs {
namespace {

constexpr const char* kCodedShapeStage = "r1cs.coded_shape";
constexpr unsigned kByteBits = 8;
static_assert(core::kTermColumnBits == kColumnBits && core::kTermCodes == kCodeWide &&
              core::kTermMinusOne == kCodeMinusOne);

/// The new column of every column of a part: [slots | inputs | aux] -> [slots | inputs | fields |
/// bits].
std::vector<std::uint32_t> renumber(const PartView& part) {
  const PartCounts& counts = part.counts;
  std::vector<std::uint32_t> columns(counts.columns());
  const auto special = static_cast<std::uint32_t>(counts.slots + counts.inputs);
  for (std::uint32_t i = 0; i < special; ++i) columns[i] = i;
  std::uint32_t field = special;
  auto bit = static_cast<std::uint32_t>(special + counts.fields());
  for (std::uint64_t aux = 0; aux < counts.aux; ++aux) {
    const bool is_bit = ((part.aux_is_bit[aux / kWordBits] >> (aux % kWordBits)) & 1) != 0;
    columns[special + aux] = is_bit ? bit++ : field++;
  }
  return columns;
}

/// Appends rows to a coded matrix, a chunk at a time.
class MatrixCoder {
 public:
  MatrixCoder(CodedMatrix& out, std::span<const std::uint32_t> columns)
      : out_(out), columns_(columns) {}

  void add(const RowView& row) {
    starts_.push_back(static_cast<std::uint32_t>(out_.words.size()));
    const std::uint16_t* wide = row.wide;
    for (const std::uint32_t term : row.terms) {
      const std::uint32_t code = RowView::code(term);
      out_.words.push_back(columns_[RowView::column(term)] | (code << kColumnBits));
      if (code == kCodeWide) out_.words.push_back(*wide++);
    }
    if (starts_.size() == core::kChunkRows) finish_chunk();
  }
  void finish() {
    if (!starts_.empty()) finish_chunk();
  }

 private:
  void finish_chunk() {
    const auto end = static_cast<std::uint32_t>(out_.words.size());
    starts_.resize(core::kLongEntry, end);
    bool is_long = false;
    std::array<std::uint64_t, core::kChunkRows / core::kLengthsPerWord> lengths{};
    for (std::uint32_t i = 0; i < core::kChunkRows; ++i) {
      const std::uint64_t length = starts_[i + 1] - starts_[i];
      is_long = is_long || length >= core::kLongRow;
      lengths[i / core::kLengthsPerWord] |= (length & (core::kLongRow))
                                            << (kByteBits * (i % core::kLengthsPerWord));
    }
    out_.lengths.insert(out_.lengths.end(), lengths.begin(), lengths.end());
    if (is_long) {
      const std::uint64_t entry = out_.long_starts.size() / core::kLongEntry;
      out_.chunks.push_back(core::kLongChunk | static_cast<std::uint32_t>(entry));
      out_.long_starts.insert(out_.long_starts.end(), starts_.begin(), starts_.end());
    } else {
      out_.chunks.push_back(starts_.front());
    }
    starts_.clear();
  }

  CodedMatrix& out_;
  std::span<const std::uint32_t> columns_;
  std::vector<std::uint32_t> starts_;
};

CodedMatrix code_matrix(const MatrixView& matrix, std::uint64_t rows,
                        std::span<const std::uint32_t> columns) {
  CodedMatrix out;
  out.words.reserve(matrix.terms.size() + matrix.wide.size());
  const std::uint64_t chunks = (rows + core::kChunkRows - 1) / core::kChunkRows;
  out.chunks.reserve(chunks);
  out.lengths.reserve(chunks * (core::kChunkRows / core::kLengthsPerWord));
  MatrixCoder coder(out, columns);
  RowCursor cursor(matrix, 0);
  for (std::uint64_t row = 0; row < rows; ++row) coder.add(cursor.next());
  coder.finish();
  return out;
}

core::PartSizes sizes_of(const PartView& part) {
  const PartCounts& counts = part.counts;
  const PartLayout layout{counts.inputs, counts.bits, counts.fields()};
  // All are below 2^32: columns are below 2^24, and `create` has looked at the rows.
  return {static_cast<std::uint32_t>(counts.constraints),
          static_cast<std::uint32_t>(counts.slots),
          static_cast<std::uint32_t>(counts.inputs),
          static_cast<std::uint32_t>(counts.fields()),
          static_cast<std::uint32_t>(layout.words()),
          static_cast<std::uint32_t>(part.aux_is_bit.size())};
}

CodedPart code_part(const PartView& part, std::span<const std::uint32_t> columns) {
  CodedPart out;
  out.sizes = sizes_of(part);
  for (const Matrix which : {Matrix::kA, Matrix::kB}) {
    out.matrices[static_cast<std::size_t>(which)] =
        code_matrix(part.matrix(which), part.counts.constraints, columns);
  }
  out.aux_is_bit.assign(part.aux_is_bit.begin(), part.aux_is_bit.end());
  std::uint32_t before = 0;
  for (const std::uint64_t mask : part.aux_is_bit) {
    out.bits_before.push_back(before);
    before += static_cast<std::uint32_t>(std::popcount(mask));
  }
  return out;
}

Error too_large(const char* what, std::string expected, std::uint64_t found) {
  return Error{ErrorCode::kInvalidInput, kCodedShapeStage, what}.but(std::move(expected),
                                                                     std::to_string(found));
}

Result<void> check_part(const PartView& part) {
  for (const Matrix which : {Matrix::kA, Matrix::kB}) {
    const MatrixView& matrix = part.matrix(which);
    const std::uint64_t words = matrix.terms.size() + matrix.wide.size();
    if (words >= core::kLongChunk) {
      return fail(too_large("a matrix of a part is too large", "fewer than 2^31 words", words));
    }
  }
  return {};
}

}  // namespace

Result<CodedShape> CodedShape::create(const Shape& shape) {
  if (shape.rows() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(
        too_large("the system is too large for a device", "fewer than 2^32 rows", shape.rows()));
  }
  BELFRY_CHECK(check_part(shape.header()));
  BELFRY_CHECK(check_part(shape.block()));
  CodedShape out;
  const auto header_columns = renumber(shape.header());
  out.header_ = code_part(shape.header(), header_columns);
  out.block_ = code_part(shape.block(), renumber(shape.block()));
  out.layout_ = shape.layout();
  out.coefficients_.reserve(core::kTermCodes + shape.dictionary().size());
  for (std::uint32_t code = 0; code < core::kTermCodes; ++code) {
    out.coefficients_.push_back(coded_value(code));
  }
  const auto dictionary = shape.dictionary();
  out.coefficients_.insert(out.coefficients_.end(), dictionary.begin(), dictionary.end());
  for (const std::uint32_t column : shape.view().bindings) {
    out.bindings_.push_back(header_columns[column]);
  }
  out.sizes_ = {out.header_.sizes, out.block_.sizes, static_cast<std::uint32_t>(shape.blocks()),
                out.bindings_.size() == out.block_.sizes.slots};
  return out;
}

}  // namespace belfry::r1cs
