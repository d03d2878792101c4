#pragma once

#include <cstdint>
#include <span>

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/field/fr.h"

namespace belfry::curve {

/// [k]P for a non-negative integer k, little-endian limbs; works for points outside the subgroup.
/// Window of four bits: one doubling a bit, one addition every four. Variable time. `Curve` is G1
/// or G2.
template <class Curve>
[[nodiscard]] Jacobian<Curve> multiply(const Jacobian<Curve>& point,
                                       std::span<const std::uint64_t> scalar) noexcept;

template <class Curve>
[[nodiscard]] Jacobian<Curve> multiply(const Jacobian<Curve>& point, const Fr& scalar) noexcept {
  const auto limbs = scalar.to_canonical();
  return multiply(point, std::span<const std::uint64_t>(limbs));
}
template <class Curve>
[[nodiscard]] Jacobian<Curve> multiply(const Affine<Curve>& point, const Fr& scalar) noexcept {
  return multiply(Jacobian<Curve>::from_affine(point), scalar);
}
template <class Curve>
[[nodiscard]] Jacobian<Curve> multiply(const Affine<Curve>& point, std::uint64_t scalar) noexcept {
  return multiply(Jacobian<Curve>::from_affine(point), std::span<const std::uint64_t>(&scalar, 1));
}

}  // namespace belfry::curve
