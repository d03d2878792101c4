#include "belfry/groth16/prove/quotient.h"

#include <bit>

#include "belfry/ntt/ntt.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::size_t kQuotientGrain = 1 << 14;

/// a, b and c = a∘b over the domain, padded with zeros.
struct Evaluations {
  LargeArray<Fr> a;
  LargeArray<Fr> b;
  LargeArray<Fr> c;
};

Result<Evaluations> evaluate_rows(const r1cs::Shape& shape, const r1cs::PackedWitness& witness,
                                  std::uint64_t domain_size, const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.evaluate");
  Evaluations rows;
  BELFRY_TRY(rows.a, LargeArray<Fr>::create(domain_size));
  BELFRY_TRY(rows.b, LargeArray<Fr>::create(domain_size));
  BELFRY_TRY(rows.c, LargeArray<Fr>::create(domain_size));
  BELFRY_CHECK(r1cs::multiply(shape, r1cs::Matrix::kA, witness, rows.a.span(), work.executor));
  BELFRY_CHECK(r1cs::multiply(shape, r1cs::Matrix::kB, witness, rows.b.span(), work.executor));
  work.executor.parallel_for(shape.rows(), kQuotientGrain,
                             [&rows](std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i)
                                 rows.c[i] = rows.a[i] * rows.b[i];
                             });
  return rows;
}

}  // namespace

Result<LargeArray<Fr>> quotient_coefficients(const r1cs::Shape& shape,
                                             const r1cs::PackedWitness& witness,
                                             const WorkView& work) {
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.rows()));
  BELFRY_TRY(const ntt::Plan plan, ntt::Plan::create(domain));
  BELFRY_TRY(Evaluations rows, evaluate_rows(shape, witness, domain.size(), work));
  BELFRY_CHECK(work.cancel.check("groth16.quotient"));
  const trace::Span span(work.tracer, "groth16.transforms");
  BELFRY_CHECK(ntt::quotient(plan, rows.a.span(), rows.b.span(), rows.c.span(), work.executor));
  return std::move(rows.a);
}

std::uint64_t quotient_bytes(const r1cs::Shape& shape) {
  return 3 * sizeof(Fr) * std::bit_ceil(shape.rows());
}

}  // namespace belfry::groth16
