#pragma once

#include <cstdint>

#include "belfry/base/platform.h"
#include "belfry/curve/weierstrass.h"

// One affine addition, cut where batches share an inversion: the value to invert, and the sum once
// its inverse is known. Source: the group law in affine coordinates.
namespace belfry::msm::core {

enum class PairCase : std::uint8_t { kAdd, kDouble, kFirst, kSecond, kInfinity };

/// Which of the cases of p + q it is. Only kAdd and kDouble need an inverse.
template <class Curve>
BELFRY_HD constexpr PairCase classify(const curve::Affine<Curve>& p,
                                      const curve::Affine<Curve>& q) noexcept {
  if (q.is_infinity()) return p.is_infinity() ? PairCase::kInfinity : PairCase::kFirst;
  if (p.is_infinity()) return PairCase::kSecond;
  if (!(p.x == q.x)) return PairCase::kAdd;
  // Opposite points, a point of order two among them; otherwise they are equal.
  return p.y == -q.y ? PairCase::kInfinity : PairCase::kDouble;
}

/// What has to be inverted: the denominator of the slope, or one.
template <class Curve>
BELFRY_HD constexpr typename Curve::Field slope_denominator(
    PairCase pair_case, const curve::Affine<Curve>& p, const curve::Affine<Curve>& q) noexcept {
  if (pair_case == PairCase::kAdd) return q.x - p.x;
  return pair_case == PairCase::kDouble ? p.y.doubled() : Curve::Field::one();
}

/// What is divided by it for the slope; any value where there is none.
template <class Curve>
BELFRY_HD constexpr typename Curve::Field slope_numerator(PairCase pair_case,
                                                          const curve::Affine<Curve>& p,
                                                          const curve::Affine<Curve>& q) noexcept {
  if (pair_case != PairCase::kDouble) return q.y - p.y;
  const auto xx = p.x.square();
  return xx.doubled() + xx;
}

/// The sum where it takes no slope.
template <class Curve>
BELFRY_HD constexpr curve::Affine<Curve> sum_without_slope(PairCase pair_case,
                                                           const curve::Affine<Curve>& p,
                                                           const curve::Affine<Curve>& q) noexcept {
  if (pair_case == PairCase::kFirst) return p;
  return pair_case == PairCase::kSecond ? q : curve::Affine<Curve>::infinity();
}
BELFRY_HD constexpr bool needs_slope(PairCase pair_case) noexcept {
  return pair_case == PairCase::kAdd || pair_case == PairCase::kDouble;
}

/// p + q, given the inverse of slope_denominator.
template <class Curve>
BELFRY_HD constexpr curve::Affine<Curve> add_with_inverse(
    PairCase pair_case, const curve::Affine<Curve>& p, const curve::Affine<Curve>& q,
    const typename Curve::Field& inverse) noexcept {
  using Field = typename Curve::Field;
  if (!needs_slope(pair_case)) return sum_without_slope(pair_case, p, q);
  const Field slope = slope_numerator(pair_case, p, q) * inverse;
  const Field x = slope.square() - p.x - q.x;
  return {x, slope * (p.x - x) - p.y};
}

}  // namespace belfry::msm::core
