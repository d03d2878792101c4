#include "belfry/groth16/keygen/domain_basis.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "belfry/field/batch_invert.h"
#include "belfry/ntt/tree_plan.h"
#include "belfry/ntt/tree_values.h"

namespace belfry::groth16 {
namespace {

constexpr std::size_t kBasisGrain = 1 << 14;

/// 2^log_size positions that follow each other are rows that are equally far apart: omega^j =
/// start·step^t for the t whose reversed bits are the position.
struct Progression {
  Fr start;
  Fr step;
  unsigned log_size;

  Progression(const ntt::Domain& domain, std::uint64_t first, std::size_t size)
      : log_size(static_cast<unsigned>(std::countr_zero(size))) {
    const auto place = static_cast<std::uint32_t>(first);  // domains have at most 2^32 elements
    start = domain.omega().pow(ntt::core::reverse_low_bits(place, domain.log_size()));
    step = domain.omega();
    for (unsigned bit = log_size; bit < domain.log_size(); ++bit) step = step.square();
  }
};

}  // namespace

void domain_h_scalars(const ntt::Domain& domain, const TestTrapdoor& trapdoor, std::uint64_t first,
                      std::span<Fr> scalars, const Executor& executor) {
  const Progression rows(domain, first, scalars.size());
  const Fr vanishing = domain.vanishing(trapdoor.tau);
  const Fr scale = vanishing * domain.size_inverse() * vanishing * trapdoor.delta.inverse() *
                   ntt::domain_quotient_factor(domain);
  executor.parallel_for(scalars.size(), kBasisGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Fr> numerators(end - begin);
    std::vector<Fr> values(end - begin);
    Fr power = rows.start * rows.step.pow(begin);
    for (std::size_t i = 0; i < values.size(); ++i, power *= rows.step) {
      numerators[i] = power * scale;
      values[i] = trapdoor.tau - power;
    }
    field::batch_invert(std::span(values));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto t = static_cast<std::uint32_t>(begin + i);
      scalars[ntt::core::reverse_low_bits(t, rows.log_size)] = values[i] * numerators[i];
    }
  });
}

// With u = m/Z: L_j' = L_j·(u·tau^m − L_j·u − 1)/tau, as 1/(tau − omega^j) is (1 + L_j·u)/tau.
void to_folded_weights(const ntt::Domain& domain, const TestTrapdoor& trapdoor,
                       std::span<Fr> weights, const Executor& executor) {
  const Fr vanishing = domain.vanishing(trapdoor.tau);
  const Fr u = domain.size_inverse().inverse() * vanishing.inverse();
  const Fr constant = u * (vanishing + Fr::one()) - Fr::one();
  const Fr scale = vanishing * trapdoor.delta.inverse() * domain.size_inverse();
  executor.parallel_for(weights.size(), kBasisGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      weights[j] = scale * weights[j] * (constant - u * weights[j]);
    }
  });
}

}  // namespace belfry::groth16
