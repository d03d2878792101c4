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

/// How a transform of 2^log_size elements is cut into passes, from the root to the leaves, as even
/// as possible, each of at most core::kMaxPassLog levels, at least one. A transform up runs them in
/// the opposite order.
[[nodiscard]] std::vector<core::TreePass> tree_passes(unsigned log_size);

/// Constants of one pass for one transform.
[[nodiscard]] core::PassConstants pass_constants(const Domain& domain, const core::TreePass& pass,
                                                 TreeDirection direction, TreePoints points);

/// The cut of the table of powers that the last pass reads (core::PowerView): exponents below half
/// the size.
struct PowerCut {
  unsigned low_log;
  unsigned high_log;
};
[[nodiscard]] constexpr PowerCut power_cut(unsigned log_size) noexcept {
  const unsigned bits = log_size == 0 ? 0 : log_size - 1;
  return {bits - bits / 2, bits / 2};
}

/// f of the quotient on the domain (DeviceTree::domain_quotient_async): 2^32 / m².
[[nodiscard]] Fr domain_quotient_factor(const Domain& domain);

}  // namespace belfry::ntt
