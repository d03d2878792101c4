#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/derived/fold_core.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// Matrix C of a header or a block by columns, as folds read it (fold_core.h).
struct ColumnTerms {
  static constexpr std::uint32_t kSegmentTerms = 512;  ///< most entries that one worker sums

  std::vector<core::FoldTerm> terms;         ///< column by column
  std::vector<core::FoldSegment> segments;   ///< likewise; a long column has several
  std::vector<std::uint32_t> first_segment;  ///< (columns + 1)

  /// kInvalidInput for a part with 2^32 terms. Memory: 8 bytes a term, 12 a column; cost: two
  /// passes over the terms, about a second for a 32 GiB block.
  [[nodiscard]] static Result<ColumnTerms> of(const r1cs::PartView& part);
};

}  // namespace belfry::groth16
