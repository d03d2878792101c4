#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "belfry/curve/batch.h"
#include "belfry/curve/multiply.h"
#include "support/kernel_isas.h"

namespace belfry::test {

/// n points of order r without known relation: start + i·step for random multiples of the
/// generator.
template <class Curve>
std::vector<typename Curve::Affine> random_points(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  auto point = curve::multiply<Curve>(Curve::generator(), rng());
  const auto step = curve::multiply<Curve>(Curve::generator(), rng()).to_affine();
  std::vector<typename Curve::Jacobian> chain(n);
  for (auto& p : chain) {
    p = point;
    point += step;
  }
  std::vector<typename Curve::Affine> out(n);
  curve::batch_to_affine<Curve>(std::span<const typename Curve::Jacobian>(chain),
                                std::span<typename Curve::Affine>(out));
  return out;
}

}  // namespace belfry::test
