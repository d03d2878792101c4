#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "belfry/field/fr.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/variable.h"

namespace belfry::r1cs {

/// The three matrices of a constraint system.
enum class Matrix : std::uint8_t { kA, kB, kC };
inline constexpr std::size_t kMatrices = 3;

/// Rows per group: the unit of random access into a matrix.
inline constexpr std::size_t kGroupRows = 64;

/// Codes of coefficients in a term's top byte: 0 to 253 are 2^code, then -1; any other coefficient
/// is an entry of the dictionary, named by the matrix's next wide code.
inline constexpr std::uint32_t kCodedPowers = 254;
inline constexpr std::uint32_t kCodeMinusOne = 254;
inline constexpr std::uint32_t kCodeWide = 255;
/// A row length in a byte; this value says that the true length is the next long one.
inline constexpr std::uint8_t kLengthLong = 255;
/// Columns of a part fit into 24 bits, dictionary indices into 16.
inline constexpr std::uint32_t kColumnBits = 24;
inline constexpr std::uint64_t kColumnLimit = std::uint64_t{1} << kColumnBits;
inline constexpr std::uint64_t kDictionaryLimit = std::uint64_t{1} << 16;

/// Where the rows of one group begin in the lists of a matrix.
struct RowGroup {
  std::uint32_t first_term;
  std::uint32_t first_wide;
  std::uint32_t first_long;
};

/// One coded matrix of a part. Row j has lengths[j] terms (or the next long length); each term is
/// column | code << 24, in the canonical order of the variables (Variable). Wide codes and long
/// lengths are consumed in order, from where the group says. Read it with RowCursor (row_cursor.h).
struct MatrixView {
  std::span<const std::uint32_t> terms;
  std::span<const std::uint16_t> wide;
  std::span<const std::uint8_t> lengths;
  std::span<const std::uint32_t> long_lengths;
  std::span<const RowGroup> groups;  ///< (rows + 63) / 64
};

/// Sizes of a part.
struct PartCounts {
  std::uint64_t inputs = 0;  ///< the header's count ONE
  std::uint64_t aux = 0;
  std::uint64_t bits = 0;  ///< aux of class bit
  std::uint64_t constraints = 0;
  std::uint64_t slots = 0;  ///< header variables that a block sees; none in the header

  [[nodiscard]] std::uint64_t fields() const noexcept { return aux - bits; }
  [[nodiscard]] std::uint64_t columns() const noexcept { return slots + inputs + aux; }
};

/// A header or a block. Columns are [slots | inputs | aux]. Bitmaps have one bit a variable, least
/// significant first, unused bits zero. A density bit says that the variable has a non-zero
/// coefficient in some row of the matrix; the header's include the rows of all blocks (spec
/// gadgets.md 2.3).
struct PartView {
  PartCounts counts;
  std::span<const std::uint64_t> aux_is_bit;
  std::span<const std::uint64_t> a_aux_density;
  std::span<const std::uint64_t> b_aux_density;
  std::span<const std::uint64_t> b_input_density;
  std::array<MatrixView, kMatrices> matrices;

  [[nodiscard]] const MatrixView& matrix(Matrix which) const noexcept {
    return matrices[static_cast<std::size_t>(which)];
  }
};

/// The storage behind a shape's views: memory of a recording, or a mapped file.
class ShapeStorage {
 public:
  ShapeStorage() = default;
  virtual ~ShapeStorage() = default;
  ShapeStorage(const ShapeStorage&) = delete;
  ShapeStorage& operator=(const ShapeStorage&) = delete;
};

/// The views that make up a shape.
struct ShapeView {
  std::string circuit_id;
  std::uint64_t blocks = 0;
  PartView header;
  PartView block;
  /// Header columns that stand for a block's slots: `slots` entries shared by all blocks, or
  /// slots · blocks entries, block after block.
  std::span<const std::uint32_t> bindings;
  std::span<const Fr> dictionary;
};

/// The rows of a circuit as data: a header, one block that stands for `blocks` equal ones, and
/// which header variables a block sees. Immutable, cheap to copy (shares its storage), thread-safe.
///
/// Variables of the whole system: inputs of the header, then those of the blocks in order; aux
/// likewise; rows likewise. The appended input rows (spec gadgets.md 2.1) are not stored.
/// Source: design.md 2.2, spec circuits.md 7.6.
class Shape {
 public:
  Shape() = default;
  Shape(ShapeView view, std::shared_ptr<const ShapeStorage> storage)
      : view_(std::move(view)), storage_(std::move(storage)) {}

  [[nodiscard]] const std::string& circuit_id() const noexcept { return view_.circuit_id; }
  [[nodiscard]] const PartView& header() const noexcept { return view_.header; }
  [[nodiscard]] const PartView& block() const noexcept { return view_.block; }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return view_.blocks; }
  [[nodiscard]] std::span<const Fr> dictionary() const noexcept { return view_.dictionary; }
  /// Header columns behind the slots of a block.
  [[nodiscard]] std::span<const std::uint32_t> bindings(std::uint64_t block) const noexcept;
  [[nodiscard]] const ShapeView& view() const noexcept { return view_; }

  /// Totals of the whole system; inputs count ONE, constraints do not count the appended input
  /// rows.
  [[nodiscard]] std::uint64_t inputs() const noexcept {
    return view_.header.counts.inputs + blocks() * view_.block.counts.inputs;
  }
  [[nodiscard]] std::uint64_t aux() const noexcept {
    return view_.header.counts.aux + blocks() * view_.block.counts.aux;
  }
  [[nodiscard]] std::uint64_t constraints() const noexcept {
    return view_.header.counts.constraints + blocks() * view_.block.counts.constraints;
  }
  /// Rows with the appended ones: constraints() + inputs().
  [[nodiscard]] std::uint64_t rows() const noexcept { return constraints() + inputs(); }
  /// First aux, input and row of a block in the whole system.
  [[nodiscard]] std::uint64_t block_aux_offset(std::uint64_t block) const noexcept {
    return view_.header.counts.aux + block * view_.block.counts.aux;
  }
  [[nodiscard]] std::uint64_t block_input_offset(std::uint64_t block) const noexcept {
    return view_.header.counts.inputs + block * view_.block.counts.inputs;
  }
  [[nodiscard]] std::uint64_t block_row_offset(std::uint64_t block) const noexcept {
    return view_.header.counts.constraints + block * view_.block.counts.constraints;
  }
  /// Dense variables of the whole system (spec gadgets.md 2.3), by counting bits: aux in some A
  /// row, aux in some B row, inputs in some B row.
  [[nodiscard]] std::uint64_t dense_a_aux() const noexcept;
  [[nodiscard]] std::uint64_t dense_b_aux() const noexcept;
  [[nodiscard]] std::uint64_t dense_b_inputs() const noexcept;

  /// The form that a witness of this shape has.
  [[nodiscard]] WitnessLayout layout() const noexcept;

  /// The variable behind a column of the header, or of a block.
  [[nodiscard]] Variable header_variable(std::uint32_t column) const noexcept;
  [[nodiscard]] Variable block_variable(std::uint64_t block, std::uint32_t column) const noexcept;

 private:
  ShapeView view_;
  std::shared_ptr<const ShapeStorage> storage_;
};

/// The value of a coefficient code below kCodeWide.
[[nodiscard]] Fr coded_value(std::uint32_t code) noexcept;

}  // namespace belfry::r1cs
