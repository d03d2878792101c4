#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "belfry/groth16/prove/query_masks_core.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// The tables behind a core::PartMaskView, made once for a header or a block. 24 bytes for 64 aux.
struct PartMaskTables {
  std::array<std::vector<std::uint64_t>, core::kQueries> density;        // empty for L
  std::array<std::vector<std::uint32_t>, core::kQueries> points_before;  // empty for L
  std::uint32_t words = 0;

  explicit PartMaskTables(const r1cs::PartView& part);
  [[nodiscard]] core::PartMaskView view() const noexcept;
};

/// The first points of the header's aux, of those of block 0, and how many each block has.
struct PointOffsets {
  core::FirstPoints header{};
  core::FirstPoints first_block{};
  core::FirstPoints each_block{};

  PointOffsets(const r1cs::Shape& shape, QuotientBasis basis);
  [[nodiscard]] core::FirstPoints block(std::uint64_t index) const noexcept;
};

}  // namespace belfry::groth16
