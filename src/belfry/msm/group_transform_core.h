#pragma once

#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/curve/g1.h"
#include "belfry/field/fr.h"
#include "belfry/msm/split_scalar_core.h"

// A transform whose coefficients are points of G1: the tree of ntt/tree_core.h, level by level, a
// worker a butterfly. Σ_k root^(j·k)·Q_k for all j, natural order in, bit-reversed order out.
namespace belfry::msm::core {

/// One level of the tree: pairs of points at distance `half`, 2^depth nodes.
struct GroupLevel {
  unsigned log_size = 0;
  unsigned depth = 0;  ///< 0 is the root
  Fr root;             ///< of order 2^(depth + 1)

  [[nodiscard]] BELFRY_HD constexpr std::uint64_t half() const noexcept {
    return std::uint64_t{1} << (log_size - depth - 1);
  }
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t node(std::uint64_t worker) const noexcept {
    return worker >> (log_size - depth - 1);
  }
  /// The lower place of a worker's pair, of 2^(log_size - 1) workers.
  [[nodiscard]] BELFRY_HD constexpr std::uint64_t low(std::uint64_t worker) const noexcept {
    return 2 * half() * node(worker) + (worker & (half() - 1));
  }
  /// root to the reversed bits of the worker's node; one for node 0.
  [[nodiscard]] BELFRY_HD constexpr Fr twiddle(std::uint64_t worker) const noexcept {
    std::uint64_t exponent = 0;
    const std::uint64_t own = node(worker);
    for (unsigned i = 0; i < depth; ++i) exponent |= ((own >> i) & 1) << (depth - 1 - i);
    return root.pow(exponent);
  }
};

/// Two sums that wait for the inverses of their denominators.
struct PointPairSums {
  curve::G1Jacobian first;
  curve::G1Jacobian second;

  /// The product of both z, infinity counting as one: never zero.
  [[nodiscard]] BELFRY_HD constexpr Fp denominator() const noexcept {
    return z_of(first) * z_of(second);
  }
  /// The affine points, given the inverse of denominator().
  BELFRY_HD constexpr void finish(const Fp& inverse, curve::G1Affine& to_first,
                                  curve::G1Affine& to_second) const noexcept {
    to_first = affine(first, inverse * z_of(second));
    to_second = affine(second, inverse * z_of(first));
  }

 private:
  [[nodiscard]] BELFRY_HD static constexpr Fp z_of(const curve::G1Jacobian& p) noexcept {
    return p.is_infinity() ? Fp::one() : p.z;
  }
  [[nodiscard]] BELFRY_HD static constexpr curve::G1Affine affine(const curve::G1Jacobian& p,
                                                                  const Fp& inverse) noexcept {
    return p.is_infinity() ? curve::G1Affine::infinity() : p.to_affine(inverse);
  }
};

/// low + w·high and low - w·high, w the worker's twiddle.
BELFRY_HD inline PointPairSums group_butterfly(std::uint64_t worker, const GroupLevel& level,
                                               const curve::G1Affine& low,
                                               const curve::G1Affine& high) noexcept {
  curve::G1Jacobian product = level.node(worker) == 0 ? curve::G1Jacobian::from_affine(high)
                                                      : multiply_split(high, level.twiddle(worker));
  PointPairSums out{product, -product};
  const auto own = curve::G1Jacobian::from_affine(low);
  add_to(out.first, own);
  add_to(out.second, own);
  return out;
}

/// What point k is multiplied by: constant + k·slope.
struct PointScale {
  Fr constant;
  Fr slope;

  [[nodiscard]] BELFRY_HD constexpr Fr of(std::uint64_t k) const noexcept {
    return constant + slope * Fr::from_u64(k);
  }
};

}  // namespace belfry::msm::core
