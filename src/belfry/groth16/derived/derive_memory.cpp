#include <algorithm>

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/groth16/derived/column_terms.h"
#include "belfry/groth16/derived/derive.h"
#include "belfry/groth16/derived/derived_check.h"

namespace belfry::groth16 {
namespace {

/// What ColumnTerms::of holds: the terms, three counts a column, and segments, which round up.
std::uint64_t column_terms_bytes(const r1cs::PartView& part) {
  constexpr std::uint64_t kCounts = 3;
  const std::uint64_t columns = part.counts.columns() + 1;
  const std::uint64_t terms = part.matrix(r1cs::Matrix::kC).terms.size();
  // A segment has a term at least, and vectors grow to twice what they hold.
  const std::uint64_t segments = 2 * std::min(terms, columns + terms / ColumnTerms::kSegmentTerms);
  return terms * sizeof(core::FoldTerm) + columns * kCounts * sizeof(std::uint32_t) +
         segments * sizeof(core::FoldSegment);
}

}  // namespace

std::uint64_t derive_host_bytes(const r1cs::Shape& shape) {
  constexpr std::uint64_t kUploadBytes = std::uint64_t{128} << 20;  // two of gpu::StagedUpload
  const std::uint64_t slots = shape.block().counts.slots * shape.blocks();
  const std::uint64_t l = (shape.inputs() + shape.aux() + slots) * sizeof(curve::G1Affine);
  const std::uint64_t tile = kDeriveTile * sizeof(curve::G2Affine);
  constexpr std::uint64_t kSumBytes = std::uint64_t{256} << 20;  // of msm::multiply
  return column_terms_bytes(shape.header()) + column_terms_bytes(shape.block()) +
         std::max(std::max(l, tile) + kUploadBytes, derived_check_bytes(shape) + kSumBytes);
}

}  // namespace belfry::groth16
