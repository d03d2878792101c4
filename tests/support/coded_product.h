#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/coded_shape.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/multiply_core.h"

namespace belfry::test {

/// The matrix-vector product as a device computes it, one worker after the other on the CPU.
class CodedProduct {
 public:
  CodedProduct(const r1cs::CodedShape& shape, const r1cs::PackedWitness& witness)
      : shape_(shape), special_(shape.sizes().special()) {
    witness_ = {witness.inputs().data(), witness.header().fields.data(),
                witness.header().bits.data(), special_.data()};
    for (std::uint64_t i = 0; i < special_.size(); ++i) {
      special_[i] = r1cs::core::special_value(shape.sizes(), witness_, shape.bindings().data(), i);
    }
  }

  /// All rows in bit-reversed order, tile by tile.
  [[nodiscard]] std::vector<Fr> product(r1cs::Matrix matrix, unsigned log_size, unsigned run_log,
                                        unsigned rows_log) const {
    const auto which = static_cast<std::size_t>(matrix);
    const r1cs::core::ProductView view{shape_.sizes(), shape_.header().matrices[which].pointers(),
                                       shape_.block().matrices[which].pointers(), witness_,
                                       matrix == r1cs::Matrix::kA};
    std::vector<Fr> out(std::size_t{1} << log_size, Fr::from_u64(5));
    run_log = std::min(run_log, log_size);
    rows_log = std::min(rows_log, log_size - run_log);
    r1cs::core::RowTile tile{log_size, run_log, rows_log, 0};
    for (; tile.tile < (std::uint64_t{1} << (log_size - run_log - rows_log)); ++tile.tile) {
      std::uint64_t previous = 0;
      for (std::uint32_t i = 0; i < (1U << (run_log + rows_log)); ++i) {
        const std::uint64_t row = tile.row(tile.item(i));
        const std::uint64_t position = tile.position(row);
        // Neighbouring items of a line are neighbours in memory.
        if (i % (1U << run_log) != 0) {
          EXPECT_EQ(position, previous + 1);
        }
        previous = position;
        out[position] = value_of_row(view, row);
      }
    }
    return out;
  }

  /// The bits of all parts, spread.
  [[nodiscard]] std::vector<std::uint64_t> ones() const {
    const auto& sizes = shape_.sizes();
    std::vector<std::uint64_t> out;
    for (std::uint32_t w = 0; w < sizes.header.aux_words; ++w) {
      out.push_back(r1cs::core::spread_word(shape_.header().spread(), witness_.bits, w));
    }
    for (std::uint32_t block = 0; block < sizes.blocks; ++block) {
      const std::uint64_t* const bits =
          witness_.bits + sizes.header.bit_words + std::size_t{block} * sizes.block.bit_words;
      for (std::uint32_t w = 0; w < sizes.block.aux_words; ++w) {
        out.push_back(r1cs::core::spread_word(shape_.block().spread(), bits, w));
      }
    }
    return out;
  }

 private:
  /// Long rows as a group of workers sums them.
  [[nodiscard]] Fr value_of_row(const r1cs::core::ProductView& view, std::uint64_t row) const {
    if (row >= view.sizes.constraints()) return view.row_after(row);
    const Fr* const codes = shape_.coefficients().data();
    const auto found = view.row(row);
    const std::uint32_t workers = found.is_short() ? 1 : 32;
    Fr sum = Fr::zero();
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
      sum += found.part({codes, codes + r1cs::core::kTermCodes}, worker, workers);
    }
    return sum;
  }

  const r1cs::CodedShape& shape_;
  std::vector<Fr> special_;
  r1cs::core::WitnessPointers witness_{};
};

/// What `multiply` says, padded and put into bit-reversed order.
inline std::vector<Fr> reversed_product(const r1cs::Shape& shape, r1cs::Matrix matrix,
                                        const r1cs::PackedWitness& witness, unsigned log_size) {
  std::vector<Fr> rows(std::size_t{1} << log_size);
  EXPECT_TRUE(r1cs::multiply(shape, matrix, witness, rows, Executor(2)));
  std::vector<Fr> out(rows.size());
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    out[ntt::core::reverse_low_bits(i, log_size)] = rows[i];
  }
  return out;
}

/// What `ones_bitmap` says of each part, one behind the other.
inline std::vector<std::uint64_t> all_ones(const r1cs::Shape& shape,
                                           const r1cs::PackedWitness& witness) {
  auto out = r1cs::ones_bitmap(shape.header(), witness.header().bits);
  for (std::uint64_t i = 0; i < shape.blocks(); ++i) {
    const auto part = r1cs::ones_bitmap(shape.block(), witness.block(i).bits);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

inline unsigned domain_log(const r1cs::Shape& shape) {
  return static_cast<unsigned>(std::bit_width(shape.rows() - 1));
}

/// Device form and CPU agree on both matrices and on the spread bits.
inline void expect_coded_products(const r1cs::Shape& shape, const r1cs::PackedWitness& witness) {
  const auto coded = r1cs::CodedShape::create(shape);
  ASSERT_TRUE(coded) << coded.error().describe();
  const CodedProduct products(*coded, witness);
  EXPECT_EQ(products.ones(), all_ones(shape, witness));
  const unsigned log_size = domain_log(shape);
  for (const auto matrix : {r1cs::Matrix::kA, r1cs::Matrix::kB}) {
    const auto expected = reversed_product(shape, matrix, witness, log_size);
    EXPECT_TRUE(products.product(matrix, log_size, 2, 6) == expected)
        << "matrix " << static_cast<int>(matrix);
  }
}

}  // namespace belfry::test
