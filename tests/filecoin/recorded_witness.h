#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/r1cs/aux_values.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"
#include "filecoin/small_sector.h"
#include "support/vectors.h"

/// Compares witnesses with the recorded ones (tests/vectors: witness.json).
namespace belfry::test {

inline std::vector<Fr> product(const r1cs::Shape& shape, r1cs::Matrix matrix,
                               const r1cs::PackedWitness& witness, const Executor& executor) {
  std::vector<Fr> out(shape.rows());
  EXPECT_TRUE(r1cs::multiply(shape, matrix, witness, out, executor));
  out.resize(shape.constraints());
  return out;
}

/// How many of the rows that a circuit has are of two kinds.
struct RowStatistics {
  std::uint64_t a_and_b_zero = 0;
  std::uint64_t all_bits = 0;
};

inline bool is_bit(const Fr& value) { return value.is_zero() || value == Fr::one(); }

/// SHA-256 over a, b, c of every row; also checks that every row is satisfied.
inline std::string checked_abc_digest(const r1cs::Shape& shape, const r1cs::PackedWitness& witness,
                                      const Executor& executor,
                                      RowStatistics* statistics = nullptr) {
  const auto a = product(shape, r1cs::Matrix::kA, witness, executor);
  const auto b = product(shape, r1cs::Matrix::kB, witness, executor);
  const auto c = product(shape, r1cs::Matrix::kC, witness, executor);
  std::size_t unsatisfied = 0;
  for (std::size_t row = 0; row < a.size(); ++row) unsatisfied += a[row] * b[row] == c[row] ? 0 : 1;
  EXPECT_EQ(unsatisfied, 0U);
  if (statistics != nullptr) {
    for (std::size_t row = 0; row < a.size(); ++row) {
      statistics->a_and_b_zero += a[row].is_zero() && b[row].is_zero() ? 1 : 0;
      statistics->all_bits += is_bit(a[row]) && is_bit(b[row]) && is_bit(c[row]) ? 1 : 0;
    }
  }
  return to_hex(r1cs::abc_digest(a, b, c));
}

/// How many values are zero and one, and how many rows are made of such.
inline void expect_statistics(simdjson::dom::element golden, const r1cs::Shape& shape,
                              const r1cs::PackedWitness& witness, const RowStatistics& rows) {
  std::uint64_t zeros = 0;
  std::uint64_t ones = 0;
  const auto count = [&](const r1cs::PartView& part, const r1cs::WitnessPartView& values) {
    for (const Fr& value : r1cs::aux_of_part(part, values)) {
      zeros += value.is_zero() ? 1 : 0;
      ones += value == Fr::one() ? 1 : 0;
    }
  };
  count(shape.header(), witness.header());
  for (std::uint64_t k = 0; k < shape.blocks(); ++k) count(shape.block(), witness.block(k));
  EXPECT_EQ(zeros, number(golden["aux_zero"]));
  EXPECT_EQ(ones, number(golden["aux_one"]));
  EXPECT_EQ(rows.a_and_b_zero, number(golden["rows_a_and_b_zero"]));
  EXPECT_EQ(rows.all_bits, number(golden["rows_a_b_c_all_bits"]));
}

/// Everything that a witness.json says about one partition.
inline void expect_witness(simdjson::dom::element golden, const r1cs::Shape& shape,
                           const r1cs::PackedWitness& witness, const Executor& executor) {
  EXPECT_EQ(shape.aux(), number(golden["num_aux"]));
  EXPECT_EQ(shape.constraints(), number(golden["num_constraints"]));
  EXPECT_EQ(to_hex(r1cs::aux_digest(shape, witness)), text(golden["aux_digest"]));
  RowStatistics rows;
  EXPECT_EQ(checked_abc_digest(shape, witness, executor, &rows), text(golden["abc_digest"]));
  expect_statistics(golden["statistics"], shape, witness, rows);
  std::size_t i = 0;
  for (const auto input : golden["inputs"].get_array()) {
    EXPECT_EQ(witness.inputs()[i], fr_from_big_endian(text(input))) << i;
    ++i;
  }
  EXPECT_EQ(i, shape.inputs());
  const r1cs::WitnessLookupView lookup(shape, witness);
  std::size_t samples = 0;
  for (const auto sample : golden["aux_samples"].get_array()) {
    EXPECT_EQ(lookup.aux(number(sample["index"])), fr_from_big_endian(text(sample["value"])));
    ++samples;
  }
  EXPECT_GT(samples, 0U);
}

}  // namespace belfry::test
