#pragma once

#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/msm/group_transform_core.h"
#include "belfry/ntt/tree_values.h"
#include "belfry/r1cs/shape.h"

// What matrix C adds to the L point of a variable when the quotient comes as values on the domain:
// minus Σ_j C_jv·S_j over the rows j of its column v. Every function takes a worker index.
namespace belfry::groth16::core {

/// An entry of a column: its row within the part, and its coefficient by place: a code as in a
/// shape's term, or kCodeWide plus the number of a dictionary entry.
struct FoldTerm {
  std::uint32_t row = 0;
  std::uint32_t coefficient = 0;
};

/// Entries [begin, end) of one column: powers of two by falling exponent, then -1, then others.
struct FoldSegment {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// What a segment is summed from.
struct FoldView {
  const FoldTerm* terms;
  const Fr* dictionary;
  const curve::G1Affine* weights;  ///< S_j at the reversed bits of j
  std::uint64_t first_row;         ///< of the part in the system
  unsigned log_size;               ///< of the domain

  [[nodiscard]] BELFRY_HD const curve::G1Affine& weight(std::uint32_t row) const noexcept {
    return weights[ntt::core::reverse_low_bits(static_cast<std::uint32_t>(first_row + row),
                                               log_size)];
  }
};

/// Σ coefficient·S of a segment: powers of two share their doublings.
BELFRY_HD inline curve::G1Jacobian fold_segment(const FoldSegment& segment,
                                                const FoldView& view) noexcept {
  auto sum = curve::G1Jacobian::infinity();
  std::uint32_t i = segment.begin;
  std::uint32_t exponent = view.terms[i].coefficient;
  if (exponent >= r1cs::kCodedPowers) exponent = 0;
  for (; i < segment.end && view.terms[i].coefficient < r1cs::kCodedPowers; ++i) {
    for (; exponent > view.terms[i].coefficient; --exponent) msm::core::double_in_place(sum);
    msm::core::add_to(sum, curve::G1Jacobian::from_affine(view.weight(view.terms[i].row)));
  }
  for (; exponent > 0; --exponent) msm::core::double_in_place(sum);
  for (; i < segment.end; ++i) {
    const curve::G1Affine& weight = view.weight(view.terms[i].row);
    const std::uint32_t code = view.terms[i].coefficient;
    msm::core::add_to(
        sum, code == r1cs::kCodeMinusOne
                 ? curve::G1Jacobian::from_affine(-weight)
                 : msm::core::multiply_split(weight, view.dictionary[code - r1cs::kCodeWide]));
  }
  return sum;
}

/// point less the sums of the column's segments.
BELFRY_HD inline curve::G1Jacobian fold_column(const curve::G1Affine& point,
                                               const curve::G1Affine* sums, std::uint32_t begin,
                                               std::uint32_t end) noexcept {
  auto out = curve::G1Jacobian::from_affine(point);
  for (std::uint32_t i = begin; i < end; ++i) {
    msm::core::add_to(out, curve::G1Jacobian::from_affine(-sums[i]));
  }
  return out;
}

}  // namespace belfry::groth16::core
