#pragma once

#include "belfry/curve/curve_gen.h"
#include "belfry/curve/weierstrass.h"
#include "belfry/field/fp2.h"

namespace belfry::curve {

/// The group G2: order r on the twist y² = x³ + 4(1 + u) over Fp2.
struct G2 {
  using Field = Fp2;
  using Affine = curve::Affine<G2>;
  using Jacobian = curve::Jacobian<G2>;
  using Xyzz = curve::Xyzz<G2>;

  /// The constant of the equation.
  BELFRY_HD static constexpr Field b() noexcept {
    const Fp four = Fp::one().doubled().doubled();
    return {four, four};
  }
  BELFRY_HD static constexpr Affine generator() noexcept { return {kG2GeneratorX, kG2GeneratorY}; }
};

using G2Affine = G2::Affine;
using G2Jacobian = G2::Jacobian;
using G2Xyzz = G2::Xyzz;

}  // namespace belfry::curve
