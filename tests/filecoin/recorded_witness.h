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

/// SHA-256 over a, b, c of every row; also checks that every row is satisfied.
inline std::string checked_abc_digest(const r1cs::Shape& shape, const r1cs::PackedWitness& witness,
                                      const Executor& executor) {
  const auto a = product(shape, r1cs::Matrix::kA, witness, executor);
  const auto b = product(shape, r1cs::Matrix::kB, witness, executor);
  const auto c = product(shape, r1cs::Matrix::kC, witness, executor);
  std::size_t unsatisfied = 0;
  for (std::size_t row = 0; row < a.size(); ++row) unsatisfied += a[row] * b[row] == c[row] ? 0 : 1;
  EXPECT_EQ(unsatisfied, 0U);
  return to_hex(r1cs::abc_digest(a, b, c));
}

/// Everything that a witness.json says about one partition.
inline void expect_witness(simdjson::dom::element golden, const r1cs::Shape& shape,
                           const r1cs::PackedWitness& witness, const Executor& executor) {
  EXPECT_EQ(to_hex(r1cs::aux_digest(shape, witness)), text(golden["aux_digest"]));
  EXPECT_EQ(checked_abc_digest(shape, witness, executor), text(golden["abc_digest"]));
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
