#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/curve/batch.h"
#include "belfry/curve/multiply.h"

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

/// Every kernel table that this CPU can run.
inline std::vector<Isa> kernel_isas() {
  std::vector<Isa> out;
  for (const Isa isa : {Isa::kPortable, Isa::kAdx, Isa::kIfma}) {
    if (isa <= best_isa()) out.push_back(isa);
  }
  return out;
}

}  // namespace belfry::test
