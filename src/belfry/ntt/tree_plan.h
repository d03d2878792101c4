#pragma once

#include <cstdint>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/tree_core.h"

namespace belfry::ntt {

/// Sense of a tree transform (tree_core.h).
enum class TreeDirection : std::uint8_t {
  kDown,  ///< coefficients in natural order -> values in bit-reversed order
  kUp,    ///< values in bit-reversed order -> 2^n · coefficients in natural order
};

/// Where the values live: on H = {omega^i} or on the coset 7·H.
enum class TreePoints : std::uint8_t { kSubgroup, kCoset };

/// What a pass's tables are computed from.
struct PassConstants {
  Fr shift_power;  ///< s^(N/2^e), e = above_log + rows_log; inverse for kUp
  Fr root;         ///< omega_{2^e}; inverse for kUp
};

/// How a transform of 2^log_size elements is cut into passes, from the root to the leaves, as even
/// as possible, each of at most core::kMaxPassLog levels. A transform up runs them in the opposite
/// order. Empty for log_size 0.
[[nodiscard]] std::vector<core::TreePass> tree_passes(unsigned log_size);

/// Constants of one pass for one transform.
[[nodiscard]] PassConstants pass_constants(const Domain& domain, const core::TreePass& pass,
                                           TreeDirection direction, TreePoints points);

/// omega_{2^core::kMaxPassLog}, or its inverse for kUp: the root of the unit heap.
[[nodiscard]] Fr unit_heap_root(TreeDirection direction);

}  // namespace belfry::ntt
