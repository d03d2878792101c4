#pragma once

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

namespace belfry::curve {

/// True if a point of the curve lies in the group of order r; infinity does. The caller has checked
/// the equation (decoding does). Thread-safe.
///
/// G1: (beta·x, y) = -[z²]P. The map satisfies phi² + phi + 1 = 0, so this means [z⁴ - z² + 1]P =
/// 0, and z⁴ - z² + 1 = r: exact. Cost: 126 doublings, 10 additions.
[[nodiscard]] bool in_subgroup(const G1Affine& point) noexcept;

/// G2: psi(P) = [z]P. With psi² - (z+1)psi + p = 0 this gives [p - z]P = 0, where p - z =
/// r·(z-1)²/3; the cofactor of G2 is prime to (z-1)²/3 (asserted where constants are made): exact.
/// Cost: 63 doublings, 5 additions. Source: Scott, eprint 2021/1130.
[[nodiscard]] bool in_subgroup(const G2Affine& point) noexcept;

/// (beta·x, y): multiplication by -z² on G1.
[[nodiscard]] G1Affine endomorphism(const G1Affine& point) noexcept;
/// Untwist, Frobenius, twist: multiplication by z on G2.
[[nodiscard]] G2Affine psi(const G2Affine& point) noexcept;

}  // namespace belfry::curve
