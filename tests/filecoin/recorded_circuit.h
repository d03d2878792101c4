#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <bit>

#include "belfry/r1cs/shape.h"
#include "support/vectors.h"

namespace belfry::test {

/// Terms of one matrix over the whole system.
inline std::uint64_t terms(const r1cs::Shape& shape, r1cs::Matrix which) {
  return shape.header().matrix(which).terms.size() +
         shape.blocks() * shape.block().matrix(which).terms.size();
}

/// Every figure that a row of filecoin/*-circuits.json has of a circuit; its digests are compared
/// elsewhere, since they take longer.
inline void expect_figures(const r1cs::Shape& shape, simdjson::dom::element row) {
  EXPECT_EQ(shape.inputs(), number(row["inputs"]));
  EXPECT_EQ(shape.aux(), number(row["aux"]));
  EXPECT_EQ(shape.constraints(), number(row["constraints"]));
  // The prover appends a row for each input.
  EXPECT_EQ(shape.rows(), number(row["with_dummies"]));
  EXPECT_EQ(static_cast<std::uint64_t>(std::bit_width(shape.rows() - 1)),
            number(row["domain_log2"]));
  EXPECT_EQ(shape.dense_a_aux(), number(row["density_a"]));
  EXPECT_EQ(shape.dense_b_aux(), number(row["density_b"]));
  EXPECT_EQ(shape.dense_b_inputs(), 1U);
  EXPECT_EQ(terms(shape, r1cs::Matrix::kA), number(row["terms_a"]));
  EXPECT_EQ(terms(shape, r1cs::Matrix::kB), number(row["terms_b"]));
  EXPECT_EQ(terms(shape, r1cs::Matrix::kC), number(row["terms_c"]));
}

}  // namespace belfry::test
