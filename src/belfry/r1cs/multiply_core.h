#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/tree_core.h"

// Products of the matrices A and B with a packed witness, row by row, in the form that devices run.
// Every function takes the number of what it is to compute: a kernel calls it with its thread,
// tests on the CPU with one number after the other.
//
// Columns of a part are [slots | inputs | field elements | bits], the last two in order of
// allocation: the order of a packed witness, so nothing is spread before it is read. A row is a run
// of words: a term is column | code << 24; code 255 says that the next word is the coefficient's
// place in the dictionary. Rows are found by chunks of 16: the first word of the chunk and a byte
// for each row's number of words.
namespace belfry::r1cs::core {

inline constexpr unsigned kChunkLog = 4;
inline constexpr std::uint32_t kChunkRows = 1U << kChunkLog;
/// Rows whose numbers of words share one 64-bit word.
inline constexpr std::uint32_t kLengthsPerWord = 8;
/// A chunk with this bit has a row of 255 words or more: the rest is the number of its entry in
/// long_starts, which has the first word of each row and of what follows.
inline constexpr std::uint32_t kLongChunk = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kLongEntry = kChunkRows + 1;
inline constexpr std::uint32_t kLongRow = 255;

inline constexpr unsigned kTermColumnBits = 24;
inline constexpr std::uint32_t kTermColumnMask = (std::uint32_t{1} << kTermColumnBits) - 1;
/// Codes with a value of their own; the one after them says that the dictionary has it.
inline constexpr std::uint32_t kTermCodes = 255;
inline constexpr std::uint32_t kTermMinusOne = 254;

struct MatrixPointers {
  const std::uint32_t* words;
  const std::uint32_t* chunks;       ///< (rows + 15) / 16
  const std::uint64_t* lengths;      ///< 2 for each chunk, least significant byte first
  const std::uint32_t* long_starts;  ///< kLongEntry for each long chunk
};

/// For spreading bits over all aux: class bitmap and ranks of its words.
struct SpreadPointers {
  const std::uint64_t* aux_is_bit;
  const std::uint32_t* bits_before;
};

/// Sizes of a part.
struct PartSizes {
  std::uint32_t rows;
  std::uint32_t slots;
  std::uint32_t inputs;
  std::uint32_t fields;
  std::uint32_t bit_words;  ///< words of packed bits
  std::uint32_t aux_words;  ///< words of a bitmap of all aux

  [[nodiscard]] BELFRY_HD constexpr std::uint32_t special() const noexcept {
    return slots + inputs;
  }
};

/// Sizes of a whole system.
struct SystemSizes {
  PartSizes header;
  PartSizes block;
  std::uint32_t blocks;
  bool shared_bindings;  ///< one list of header columns for all blocks

  [[nodiscard]] BELFRY_HD constexpr std::uint64_t constraints() const noexcept {
    return header.rows + std::uint64_t{blocks} * block.rows;
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t inputs() const noexcept {
    return header.inputs + std::uint64_t{blocks} * block.inputs;
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t fields() const noexcept {
    return header.fields + std::uint64_t{blocks} * block.fields;
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t bit_words() const noexcept {
    return header.bit_words + std::uint64_t{blocks} * block.bit_words;
  }
  /// Values of slots and inputs of all parts.
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t special() const noexcept {
    return header.special() + std::uint64_t{blocks} * block.special();
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t aux_words() const noexcept {
    return header.aux_words + std::uint64_t{blocks} * block.aux_words;
  }
};

/// A packed witness; `special` are the values of slots and inputs, part by part, filled by
/// special_value.
struct WitnessPointers {
  const Fr* inputs;
  const Fr* fields;
  const std::uint64_t* bits;
  const Fr* special;
};

/// The values that the columns of one instance of a part have.
struct ColumnValues {
  const Fr* special;
  const Fr* fields;
  const std::uint64_t* bits;
  std::uint32_t first_field;
  std::uint32_t first_bit;

  [[nodiscard]] BELFRY_HD constexpr bool is_bit(std::uint32_t column) const noexcept {
    return column >= first_bit;
  }
  [[nodiscard]] BELFRY_HD constexpr bool bit(std::uint32_t column) const noexcept {
    const std::uint32_t at = column - first_bit;
    return ((bits[at / 64] >> (at % 64)) & 1) != 0;
  }
  /// The value of a column that is not a bit.
  [[nodiscard]] BELFRY_HD constexpr Fr element(std::uint32_t column) const noexcept {
    return column < first_field ? special[column] : fields[column - first_field];
  }
  [[nodiscard]] BELFRY_HD constexpr Fr value(std::uint32_t column) const noexcept {
    if (!is_bit(column)) return element(column);
    return bit(column) ? Fr::one() : Fr::zero();
  }
};

/// Values of the header's columns, without slots; header.special() are its inputs.
BELFRY_HD constexpr ColumnValues header_values(const SystemSizes& sizes,
                                               const WitnessPointers& witness) noexcept {
  const PartSizes& part = sizes.header;
  return {witness.inputs, witness.fields, witness.bits, part.special(),
          part.special() + part.fields};
}
BELFRY_HD constexpr ColumnValues block_values(const SystemSizes& sizes,
                                              const WitnessPointers& witness,
                                              std::uint32_t block) noexcept {
  const PartSizes& part = sizes.block;
  const PartSizes& header = sizes.header;
  return {witness.special + header.special() + std::uint64_t{block} * part.special(),
          witness.fields + header.fields + std::uint64_t{block} * part.fields,
          witness.bits + header.bit_words + std::uint64_t{block} * part.bit_words, part.special(),
          part.special() + part.fields};
}

/// Value `index` of `special`, index < sizes.special().
BELFRY_HD constexpr Fr special_value(const SystemSizes& sizes, const WitnessPointers& witness,
                                     const std::uint32_t* bindings, std::uint64_t index) noexcept {
  const PartSizes& header = sizes.header;
  if (index < header.special()) return witness.inputs[index];
  const std::uint64_t rest = index - header.special();
  const std::uint64_t block = rest / sizes.block.special();
  const auto column = static_cast<std::uint32_t>(rest % sizes.block.special());
  if (column >= sizes.block.slots) {
    return witness
        .inputs[header.inputs + block * sizes.block.inputs + (column - sizes.block.slots)];
  }
  const std::uint64_t first = sizes.shared_bindings ? 0 : block * sizes.block.slots;
  return header_values(sizes, witness).value(bindings[first + column]);
}

/// The words of a row.
struct RowWords {
  std::uint32_t begin;
  std::uint32_t end;
};

/// The sum of the eight bytes of a word, each below 255.
BELFRY_HD constexpr std::uint32_t byte_sum(std::uint64_t word) noexcept {
  constexpr std::uint64_t kEvenBytes = 0x00ff00ff00ff00ff;
  constexpr std::uint64_t kOnes = 0x0001000100010001;
  constexpr unsigned kTopPair = 48;
  const std::uint64_t pairs = (word & kEvenBytes) + ((word >> 8) & kEvenBytes);
  return static_cast<std::uint32_t>((pairs * kOnes) >> kTopPair);
}
/// The lowest `count` < 8 bytes of a word.
BELFRY_HD constexpr std::uint64_t low_bytes(std::uint64_t word, std::uint32_t count) noexcept {
  return word & ((std::uint64_t{1} << (8 * count)) - 1);
}

BELFRY_HD constexpr RowWords row_words(const MatrixPointers& matrix, std::uint32_t row) noexcept {
  const std::uint32_t chunk = row >> kChunkLog;
  const std::uint32_t place = row & (kChunkRows - 1);
  const std::uint32_t start = matrix.chunks[chunk];
  if ((start & kLongChunk) != 0) {
    const std::uint32_t* const starts =
        matrix.long_starts + std::size_t{start & ~kLongChunk} * kLongEntry + place;
    return {starts[0], starts[1]};
  }
  const std::uint64_t* const lengths = matrix.lengths + std::size_t{chunk} * 2;
  const bool upper = place >= kLengthsPerWord;
  const std::uint64_t word = lengths[upper ? 1 : 0];
  const std::uint32_t byte = place % kLengthsPerWord;
  std::uint32_t begin = start + byte_sum(low_bytes(word, byte));
  if (upper) begin += byte_sum(lengths[0]);
  return {begin, begin + static_cast<std::uint32_t>((word >> (8 * byte)) & kLongRow)};
}

/// A row longer than this is summed by a group of workers: a worker that is alone with it would
/// keep the others waiting.
inline constexpr std::uint32_t kShortRow = 16;

/// Where the values of coefficients are: those of the codes and those of the dictionary.
struct CoefficientPointers {
  const Fr* coded;
  const Fr* dictionary;
};

/// The terms of a row that begin at words first, first + stride, ...: their sum. A word after a
/// term of code 255 is none; it is told by its neighbour alone, since such a word, below 2^16, has
/// code 0.
BELFRY_HD inline Fr row_part(const MatrixPointers& matrix, RowWords row, const ColumnValues& values,
                             const CoefficientPointers& coefficients, std::uint32_t first,
                             std::uint32_t stride) noexcept {
  Fr sum = Fr::zero();
  for (std::uint32_t at = row.begin + first; at < row.end; at += stride) {
    if (at != row.begin && matrix.words[at - 1] >> kTermColumnBits == kTermCodes) continue;
    const std::uint32_t term = matrix.words[at];
    const std::uint32_t code = term >> kTermColumnBits;
    const std::uint32_t column = term & kTermColumnMask;
    const Fr* coefficient = coefficients.coded + code;
    if (code == kTermCodes) coefficient = coefficients.dictionary + matrix.words[at + 1];
    if (values.is_bit(column)) {
      if (values.bit(column)) sum += *coefficient;
      continue;
    }
    const Fr value = values.element(column);
    if (code == 0) {
      sum += value;
    } else if (code == kTermMinusOne) {
      sum -= value;
    } else {
      sum += value * *coefficient;
    }
  }
  return sum;
}

/// One product of the whole system.
struct ProductView {
  SystemSizes sizes;
  MatrixPointers header;
  MatrixPointers block;
  WitnessPointers witness;
  bool input_rows;  ///< A: the appended row of input i is input i; otherwise it is empty

  /// A constraint: its words and what its columns stand for.
  struct Row {
    MatrixPointers matrix;
    RowWords words;
    ColumnValues values;

    [[nodiscard]] BELFRY_HD constexpr bool is_short() const noexcept {
      return words.end - words.begin <= kShortRow;
    }
    [[nodiscard]] BELFRY_HD Fr part(const CoefficientPointers& coefficients, std::uint32_t first,
                                    std::uint32_t stride) const noexcept {
      return row_part(matrix, words, values, coefficients, first, stride);
    }
  };

  /// `row` < sizes.constraints().
  [[nodiscard]] BELFRY_HD constexpr Row row(std::uint64_t row) const noexcept {
    // Below 2^32, as all rows.
    const auto at = static_cast<std::uint32_t>(row);
    if (at < sizes.header.rows) {
      return {header, row_words(header, at), header_values(sizes, witness)};
    }
    const std::uint32_t rest = at - sizes.header.rows;
    const std::uint32_t instance = rest / sizes.block.rows;
    return {block, row_words(block, rest - instance * sizes.block.rows),
            block_values(sizes, witness, instance)};
  }
  /// The value of a row after the constraints: an appended input row, or zero.
  [[nodiscard]] BELFRY_HD constexpr Fr row_after(std::uint64_t row) const noexcept {
    const std::uint64_t input = row - sizes.constraints();
    return input_rows && input < sizes.inputs() ? witness.inputs[input] : Fr::zero();
  }
};

/// How the rows of a domain of 2^log_size are cut for one block of workers so that it reads
/// neighbouring rows and writes neighbouring places: 2^run_log runs of neighbouring rows, equally
/// far apart, whose rows of the same place in the run lie side by side in bit-reversed order.
struct RowTile {
  unsigned log_size;
  unsigned run_log;    ///< log of the number of runs, at most log_size - rows_log
  unsigned rows_log;   ///< log of the rows of a run
  std::uint64_t tile;  ///< below 2^(log_size - run_log - rows_log)

  /// Row number `i` of the tile, run by run.
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t row(std::uint32_t i) const noexcept {
    const std::uint64_t run = i >> rows_log;
    const std::uint64_t place = i & ((1U << rows_log) - 1);
    return (run << (log_size - run_log)) + (tile << rows_log) + place;
  }
  /// The number of the row that is written as item `i`, so that neighbouring items have
  /// neighbouring places.
  [[nodiscard]] BELFRY_HD constexpr std::uint32_t item(std::uint32_t i) const noexcept {
    const std::uint32_t run = ntt::core::reverse_low_bits(i & ((1U << run_log) - 1), run_log);
    return (run << rows_log) + (i >> run_log);
  }
  /// The place of a row: its bits reversed.
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t position(std::uint64_t row) const noexcept {
    return ntt::core::reverse_low_bits(static_cast<std::uint32_t>(row), log_size);
  }
};

/// Word `word` of the bits of a part spread to the order of all its aux, as r1cs::ones_bitmap.
BELFRY_HD constexpr std::uint64_t spread_word(const SpreadPointers& part, const std::uint64_t* bits,
                                              std::uint32_t word) noexcept {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  std::uint64_t mask = part.aux_is_bit[word];
  if (mask == 0) return 0;
  const std::uint32_t first = part.bits_before[word];
  const unsigned shift = first % 64;
  std::uint64_t packed = bits[first / 64] >> shift;
  unsigned count = 0;
  for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) ++count;
  if (shift + count > 64) packed |= bits[first / 64 + 1] << (64 - shift);
  if (mask == kAll) return packed;
  std::uint64_t out = 0;
  for (; mask != 0; mask &= mask - 1, packed >>= 1) {
    if ((packed & 1) != 0) out |= mask & (~mask + 1);
  }
  return out;
}

}  // namespace belfry::r1cs::core
