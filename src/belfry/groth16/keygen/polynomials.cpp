#include "belfry/groth16/keygen/polynomials.h"

#include <algorithm>
#include <span>
#include <string>

#include "belfry/field/batch_invert.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::size_t kPolynomialGrain = 1 << 12;

/// values[i] = L_(begin + i)(tau), where `scale` is (tau^m − 1)/m.
void lagrange_piece(const ntt::Domain& domain, const Fr& tau, const Fr& scale, std::uint64_t begin,
                    std::span<Fr> values) {
  Fr power = domain.omega().pow(begin);
  std::vector<Fr> numerators(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    numerators[i] = power * scale;
    values[i] = tau - power;
    power *= domain.omega();
  }
  field::batch_invert(values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= numerators[i];
}

Result<ColumnValues> evaluate_columns(const r1cs::Shape& shape, r1cs::Matrix matrix,
                                      std::span<const Fr> lagrange, const Executor& executor) {
  ColumnValues values{std::vector<Fr>(shape.inputs()), std::vector<Fr>(shape.aux())};
  BELFRY_CHECK(
      r1cs::accumulate_columns(shape, matrix, lagrange, values.inputs, values.aux, executor));
  return values;
}

}  // namespace

Result<void> check_tau(const ntt::Domain& domain, const Fr& tau) {
  if (!domain.vanishing(tau).is_zero()) return {};
  return fail(Error{ErrorCode::kInvalidUsage, "groth16.keygen",
                    "tau is a root of the domain's vanishing polynomial"}
                  .with_hint("Choose another tau"));
}

Result<std::vector<Fr>> lagrange_at(const ntt::Domain& domain, const Fr& tau, std::uint64_t rows,
                                    const Executor& executor) {
  BELFRY_CHECK(check_tau(domain, tau));
  std::vector<Fr> values(rows);
  lagrange_range(domain, tau, 0, values, executor);
  return values;
}

void lagrange_range(const ntt::Domain& domain, const Fr& tau, std::uint64_t first,
                    std::span<Fr> values, const Executor& executor) {
  const Fr scale = domain.vanishing(tau) * domain.size_inverse();
  executor.parallel_for(values.size(), kPolynomialGrain, [&](std::size_t begin, std::size_t end) {
    lagrange_piece(domain, tau, scale, first + begin, values.subspan(begin, end - begin));
  });
}

Result<Polynomials> evaluate_polynomials(const r1cs::Shape& shape, const ntt::Domain& domain,
                                         const Fr& tau, const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.polynomials");
  BELFRY_TRY(const std::vector<Fr> lagrange, lagrange_at(domain, tau, shape.rows(), work.executor));
  Polynomials polynomials;
  BELFRY_TRY(polynomials.u, evaluate_columns(shape, r1cs::Matrix::kA, lagrange, work.executor));
  BELFRY_TRY(polynomials.v, evaluate_columns(shape, r1cs::Matrix::kB, lagrange, work.executor));
  BELFRY_TRY(polynomials.w, evaluate_columns(shape, r1cs::Matrix::kC, lagrange, work.executor));
  return polynomials;
}

}  // namespace belfry::groth16
