#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "belfry/groth16/prove/witness_selection.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// What the H points multiply.
enum class QuotientBasis : std::uint8_t {
  kCoefficients,  ///< coefficients of the quotient: the points of a parameter file
  /// The part of the quotient's values on the domain that comes from A and B, in bit-reversed order
  /// (ntt::DeviceTree::domain_quotient_async). What comes from C is linear in the assignment and
  /// has moved into L, where inputs have points too. Needs derived points; L and H differ, their
  /// sum and so the proof does not.
  kDomain,
};

/// The points of a query that are multiplied by whole field elements: the same for all witnesses of
/// a shape, so a backend with its own memory prepares them once. What `select` lists value by
/// value.
///
/// Where few points are, they are listed, so that a backend can gather them. Where at least half of
/// them are (PoSt, whose variables are the values of Poseidon), a second copy would cost the memory
/// of the query again: the list goes over all points instead.
struct QueryTail {
  static constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();

  bool covers_all = false;            ///< `values` has an entry for each point of the query
  std::vector<std::uint32_t> points;  ///< ascending: their number in the query; empty if covers_all
  /// Whose: an input, or inputs() plus the place of an element; kNoValue for a point with a bit.
  std::vector<std::uint32_t> values;
  std::uint64_t elements = 0;  ///< points with one
};

/// kInvalidInput for a shape with 2^32 points or values. Cost: some passes over the bitmaps of the
/// header and one block, and the lists.
[[nodiscard]] Result<QueryTail> query_tail(Query query, const r1cs::Shape& shape,
                                           QuotientBasis basis = QuotientBasis::kCoefficients);

/// How many points of a query the inputs have, and an aux part: its header or one block.
[[nodiscard]] std::uint64_t input_points(Query query, const r1cs::Shape& shape,
                                         QuotientBasis basis = QuotientBasis::kCoefficients);
[[nodiscard]] std::uint64_t aux_points(Query query, const r1cs::PartView& part);

}  // namespace belfry::groth16
