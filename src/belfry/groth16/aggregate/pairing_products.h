#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/curve/pairing.h"

namespace belfry::groth16 {

/// One factor of a product: Π_i e(p_i, q_i). A view.
struct ProductFactor {
  std::size_t product;                 ///< which product it belongs to
  std::span<const curve::G1Affine> p;  // (n)
  std::size_t q;                       ///< which of the lists of G2 points
};

/// Several products of pairings over few lists of G2 points: product j is Π over its factors of
/// Π_i e(p_i, q_i). A product without factors is one; infinite points count as one.
///
/// @param q         lists of one length n; the points of each are prepared once for all factors
/// @param products  how many there are; every `factor.product` is below
///
/// Cost: 65 µs a G2 point, 0.17 ms a pair, 0.5 ms a product; memory 20 kB a point, for eight points
/// of each list and thread. All threads of the executor work. Thread-safe.
[[nodiscard]] std::vector<curve::Gt> pairing_products(
    std::span<const std::span<const curve::G2Affine>> q, std::span<const ProductFactor> factors,
    std::size_t products, const Executor& executor);

}  // namespace belfry::groth16
