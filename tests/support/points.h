#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/curve/multiply.h"
#include "belfry/field/fp12.h"
#include "belfry/field/sqrt.h"
#include "reference/slow_curve.h"
#include "reference/slow_field.h"
#include "support/vectors.h"

namespace belfry::test {

/// Uniform elements by rejection.
template <class Field>
Field random_element(std::mt19937_64& rng);
template <>
inline Fp random_element<Fp>(std::mt19937_64& rng) {
  for (;;) {
    Fp::Limbs limbs{rng(), rng(), rng(), rng(), rng(), rng() >> 3};
    if (FpBytes::is_canonical(limbs)) return Fp{limbs};
  }
}
template <>
inline Fr random_element<Fr>(std::mt19937_64& rng) {
  return random_fr(rng);
}
template <>
inline Fp2 random_element<Fp2>(std::mt19937_64& rng) {
  return {random_element<Fp>(rng), random_element<Fp>(rng)};
}
template <>
inline Fp6 random_element<Fp6>(std::mt19937_64& rng) {
  return {random_element<Fp2>(rng), random_element<Fp2>(rng), random_element<Fp2>(rng)};
}
template <>
inline Fp12 random_element<Fp12>(std::mt19937_64& rng) {
  return {random_element<Fp6>(rng), random_element<Fp6>(rng)};
}

/// The same element in the slow reference.
inline reference::SlowFp to_slow(const Fp& x) {
  return reference::SlowFp::from_hex(to_hex(FpBytes(x).bytes()));
}
inline reference::SlowFr to_slow(const Fr& x) {
  auto bytes = FrBytes(x).bytes();
  std::reverse(bytes.begin(), bytes.end());
  return reference::SlowFr::from_hex(to_hex(bytes));
}
inline reference::SlowFp2 to_slow(const Fp2& x) { return {to_slow(x.c0), to_slow(x.c1)}; }
inline reference::SlowFp12 to_slow(const Fp12& x) {
  return {{to_slow(x.c0.c0), to_slow(x.c1.c0), to_slow(x.c0.c1), to_slow(x.c1.c1), to_slow(x.c0.c2),
           to_slow(x.c1.c2)}};
}
template <class Curve>
auto to_slow(const curve::Affine<Curve>& p) {
  using Slow = reference::SlowPoint<decltype(to_slow(p.x))>;
  if (p.is_infinity()) return Slow::infinity();
  return Slow{typename Slow::Finite{to_slow(p.x), to_slow(p.y)}};
}

/// A point of the whole curve: random x until there is a y. Almost never in the subgroup.
template <class Curve>
curve::Affine<Curve> random_curve_point(std::mt19937_64& rng) {
  for (;;) {
    const auto x = random_element<typename Curve::Field>(rng);
    if (const auto y = field::sqrt(x.square() * x + Curve::b())) return {x, *y};
  }
}

/// A finite point whose order is prime to r: added to a point of G1 no pairing notices it.
template <class Curve>
curve::Affine<Curve> point_beside_subgroup(std::mt19937_64& rng) {
  for (;;) {
    const auto any = curve::Jacobian<Curve>::from_affine(random_curve_point<Curve>(rng));
    const auto point = curve::multiply<Curve>(any, std::span(field::FrParams::kModulus));
    if (!point.is_infinity()) return point.to_affine();
  }
}

}  // namespace belfry::test
