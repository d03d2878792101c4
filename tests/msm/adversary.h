#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "belfry/field/fr.h"
#include "support/random_points.h"

namespace belfry::test {

/// A sum that is hard on bucket methods.
template <class Curve>
struct Problem {
  std::vector<typename Curve::Affine> points;
  std::vector<Fr> scalars;
};

enum class Inputs {
  kRandom,     ///< distinct points, uniform scalars
  kMixed,      ///< repeated, opposite and infinite points; scalars zero, small, -1, -2 among random
  kOneBucket,  ///< all scalars equal, and points that cancel and repeat
  kInfinite,   ///< all points infinite
  kZero,       ///< all scalars zero
};

template <class Curve>
Problem<Curve> problem(std::size_t n, Inputs inputs, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  Problem<Curve> out{random_points<Curve>(n, seed), std::vector<Fr>(n)};
  for (Fr& s : out.scalars) s = Fr{{rng(), rng(), rng(), rng() >> 2}};
  const Fr equal = out.scalars.empty() ? Fr::zero() : out.scalars[0];
  for (std::size_t i = 0; i < n; ++i) {
    auto& point = out.points[i];
    Fr& scalar = out.scalars[i];
    const std::uint64_t dice = rng() % 16;
    if (inputs == Inputs::kInfinite) point = Curve::Affine::infinity();
    if (inputs == Inputs::kZero) scalar = Fr::zero();
    if (inputs == Inputs::kOneBucket) scalar = equal;
    if (inputs != Inputs::kMixed && inputs != Inputs::kOneBucket) continue;
    if (dice < 3) point = out.points[0];
    if (dice == 3 || dice == 4) point = -out.points[0];
    if (dice == 5) point = Curve::Affine::infinity();
    if (inputs != Inputs::kMixed) continue;
    if (dice == 6) scalar = Fr::zero();
    if (dice == 7 || dice == 8) scalar = Fr::from_u64(rng() % 4);
    if (dice == 9) scalar = -Fr::from_u64(1 + rng() % 2);
    if (dice < 2) scalar = equal;
  }
  return out;
}

}  // namespace belfry::test
