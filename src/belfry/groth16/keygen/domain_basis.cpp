#include "belfry/groth16/keygen/domain_basis.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include "belfry/ntt/tree_plan.h"
#include "belfry/ntt/tree_values.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::size_t kBasisGrain = 1 << 14;

/// s_j from L_j(tau), in place. With u = m/Z: L_j' = L_j·(u·tau^m − L_j·u − 1)/tau, as 1/(tau −
/// omega^j) is (1 + L_j·u)/tau.
void to_derivatives(const ntt::Domain& domain, const TestTrapdoor& trapdoor, std::span<Fr> values,
                    const Executor& executor) {
  const Fr vanishing = domain.vanishing(trapdoor.tau);
  const Fr u = domain.size_inverse().inverse() * vanishing.inverse();
  const Fr constant = u * (vanishing + Fr::one()) - Fr::one();
  const Fr scale = vanishing * trapdoor.delta.inverse() * domain.size_inverse();
  executor.parallel_for(values.size(), kBasisGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      values[j] = scale * values[j] * (constant - u * values[j]);
    }
  });
}

}  // namespace

Result<DomainBasisScalars> domain_basis_scalars(const r1cs::Shape& shape, const ntt::Domain& domain,
                                                const TestTrapdoor& trapdoor,
                                                const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.domain_basis");
  BELFRY_TRY(std::vector<Fr> lagrange,
             lagrange_at(domain, trapdoor.tau, domain.size(), work.executor));
  DomainBasisScalars out;
  out.h.resize(domain.size());
  const Fr scale = domain.vanishing(trapdoor.tau) * trapdoor.delta.inverse() *
                   ntt::domain_quotient_factor(domain);
  work.executor.parallel_for(out.h.size(), kBasisGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const auto place = static_cast<std::uint32_t>(p);  // domains have at most 2^32 elements
      out.h[p] = scale * lagrange[ntt::core::reverse_low_bits(place, domain.log_size())];
    }
  });
  const auto weights = std::span(lagrange).first(shape.rows());
  to_derivatives(domain, trapdoor, weights, work.executor);
  out.c = {std::vector<Fr>(shape.inputs()), std::vector<Fr>(shape.aux())};
  BELFRY_CHECK(r1cs::accumulate_columns(shape, r1cs::Matrix::kC, weights, out.c.inputs, out.c.aux,
                                        work.executor));
  return out;
}

}  // namespace belfry::groth16
