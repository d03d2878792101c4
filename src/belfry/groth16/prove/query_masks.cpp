#include "belfry/groth16/prove/query_masks.h"

#include <bit>
#include <span>

namespace belfry::groth16 {
namespace {

constexpr std::array kQueryOrder{Query::kL, Query::kA, Query::kB};

/// out[i] = ones in words[0 ... i).
std::vector<std::uint32_t> ones_before(std::span<const std::uint64_t> words) {
  std::vector<std::uint32_t> out;
  out.reserve(words.size());
  std::uint32_t ones = 0;
  for (const std::uint64_t word : words) {
    out.push_back(ones);
    ones += static_cast<std::uint32_t>(std::popcount(word));
  }
  return out;
}

}  // namespace

PartMaskTables::PartMaskTables(const r1cs::PartView& part)
    : words(static_cast<std::uint32_t>(part.aux_is_bit.size())) {
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    if (kQueryOrder[q] == Query::kL) continue;
    const auto dense = kQueryOrder[q] == Query::kA ? part.a_aux_density : part.b_aux_density;
    density[q].assign(dense.begin(), dense.end());
    points_before[q] = ones_before(dense);
  }
}

core::PartMaskView PartMaskTables::view() const noexcept {
  core::PartMaskView out;
  out.words = words;
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    if (kQueryOrder[q] == Query::kL) continue;
    out.density[q] = density[q].data();
    out.points_before[q] = points_before[q].data();
  }
  return out;
}

PointOffsets::PointOffsets(const r1cs::Shape& shape, QuotientBasis basis) {
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    header[q] = input_points(kQueryOrder[q], shape, basis);
    first_block[q] = header[q] + aux_points(kQueryOrder[q], shape.header());
    each_block[q] = aux_points(kQueryOrder[q], shape.block());
  }
}

core::FirstPoints PointOffsets::block(std::uint64_t index) const noexcept {
  core::FirstPoints out = first_block;
  for (std::size_t q = 0; q < core::kQueries; ++q) out[q] += index * each_block[q];
  return out;
}

}  // namespace belfry::groth16
