#pragma once

#include "belfry/curve/curve_gen.h"
#include "belfry/curve/weierstrass.h"
#include "belfry/field/fp.h"

namespace belfry::curve {

/// The group G1: order r on y² = x³ + 4 over Fp (cofactor (z-1)²/3).
struct G1 {
  using Field = Fp;
  using Affine = curve::Affine<G1>;
  using Jacobian = curve::Jacobian<G1>;
  using Xyzz = curve::Xyzz<G1>;

  /// The constant of the equation.
  BELFRY_HD static constexpr Field b() noexcept { return Fp::one().doubled().doubled(); }
  BELFRY_HD static constexpr Affine generator() noexcept { return {kG1GeneratorX, kG1GeneratorY}; }
};

using G1Affine = G1::Affine;
using G1Jacobian = G1::Jacobian;
using G1Xyzz = G1::Xyzz;

}  // namespace belfry::curve
