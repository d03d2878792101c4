#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "belfry/curve/batch.h"
#include "belfry/curve/multiply.h"

namespace belfry::test {

/// start, start + step, start + 2·step, ...: n points.
template <class Curve>
std::vector<typename Curve::Affine> progression(typename Curve::Jacobian start,
                                                const typename Curve::Affine& step, std::size_t n) {
  std::vector<typename Curve::Jacobian> chain(n);
  for (auto& p : chain) {
    p = start;
    start += step;
  }
  std::vector<typename Curve::Affine> out(n);
  curve::batch_to_affine<Curve>(std::span<const typename Curve::Jacobian>(chain),
                                std::span<typename Curve::Affine>(out));
  return out;
}

/// n points of order r without known relation: start + i·step for random multiples of the
/// generator.
template <class Curve>
std::vector<typename Curve::Affine> random_points(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const auto start = curve::multiply<Curve>(Curve::generator(), rng());
  return progression<Curve>(start, curve::multiply<Curve>(Curve::generator(), rng()).to_affine(),
                            n);
}

}  // namespace belfry::test
