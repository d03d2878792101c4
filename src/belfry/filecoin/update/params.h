#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::filecoin {

/// Values of h that the circuit can select among.
inline constexpr std::uint32_t kHighBitChoices = 6;
/// The custom hash type of Poseidon that SnapDeals draws its numbers with.
inline constexpr std::uint64_t kUpdateTag = 1;

/// What the SnapDeals circuit and its challenges are a function of (circuits.md 4.1). Test systems
/// use shapes of their own. d, p, a, b, q, D are the names of circuits.md.
struct UpdateParams {
  TreeShape tree;             ///< TreeROld and TreeRNew
  std::uint64_t nodes;        ///< 2^d
  std::uint32_t partitions;   ///< 2^p
  std::uint32_t challenges;   ///< per partition: the number of blocks
  std::uint32_t apex_leaves;  ///< per partition: 2^a
  std::uint32_t high_bits;    ///< h in use, one of high_bit_choices()

  /// d: bits of a node's number.
  [[nodiscard]] constexpr std::uint32_t node_bits() const noexcept {
    return static_cast<std::uint32_t>(std::countr_zero(nodes));
  }
  /// p: bits of a partition's number, which are the top bits of its nodes.
  [[nodiscard]] constexpr std::uint32_t partition_bits() const noexcept {
    return static_cast<std::uint32_t>(std::countr_zero(partitions));
  }
  /// a: levels of TreeD between an apex leaf and the root of its partition.
  [[nodiscard]] constexpr std::uint32_t apex_bits() const noexcept {
    return static_cast<std::uint32_t>(std::countr_zero(apex_leaves));
  }
  /// d - p - a: levels of TreeD below an apex leaf.
  [[nodiscard]] constexpr std::uint32_t bits_below_apex() const noexcept {
    return node_bits() - partition_bits() - apex_bits();
  }
  /// b = d - p: random bits of a challenge.
  [[nodiscard]] constexpr std::uint32_t random_bits() const noexcept {
    return node_bits() - partition_bits();
  }
  /// q: challenges that one digest gives.
  [[nodiscard]] std::uint32_t challenges_per_digest() const noexcept;
  /// D: digests of a partition.
  [[nodiscard]] std::uint32_t digests() const noexcept;

  /// The list hs, ascending: six times 1 where h is 1, else 7 to 12.
  [[nodiscard]] std::array<std::uint32_t, kHighBitChoices> high_bit_choices() const noexcept;
  /// h_select: one bit of six, at the first place in the list that holds h.
  [[nodiscard]] std::uint32_t high_select() const noexcept;
};

/// Of a size that has a SnapDeals circuit (update_partitions > 0).
[[nodiscard]] UpdateParams update_params(const SectorParams& sector) noexcept;

/// kInvalidUsage if the parameters are no circuit: counts that are no powers of two, trees that do
/// not fit, an apex that leaves no level below it, no challenges, an h that can not be selected.
[[nodiscard]] Result<void> check_update_params(const UpdateParams& params);

}  // namespace belfry::filecoin
