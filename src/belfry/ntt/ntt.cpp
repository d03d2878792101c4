#include "belfry/ntt/ntt.h"

#include <cstdint>
#include <span>
#include <string>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/passes.h"
#include "belfry/ntt/tables.h"

namespace belfry::ntt {
namespace {

Result<void> check_length(const Plan& plan, std::span<const Fr> x, const char* stage) {
  if (x.size() == plan.domain().size()) return {};
  return fail(Error{ErrorCode::kInvalidUsage, stage, "the array does not fill the domain"}.but(
      std::to_string(plan.domain().size()) + " elements", std::to_string(x.size())));
}

RowTransform plain(const Plan& plan) { return {.rotation = &plan.tables().forward}; }
RowTransform plain_inverse(const Plan& plan) {
  return {.rotation = &plan.tables().inverse, .factor = plan.domain().size_inverse()};
}
RowTransform coset(const Plan& plan) {
  return {.rotation = &plan.tables().forward,
          .shift = &plan.tables().shift,
          .row_shift = &plan.tables().row_shift};
}
RowTransform coset_inverted(const Plan& plan) {
  return {.rotation = &plan.tables().inverse,
          .factor = plan.domain().size_inverse(),
          .shift = &plan.tables().shift_inverse,
          .row_shift = &plan.tables().row_shift_inverse};
}

Result<void> down(const Plan& plan, std::span<Fr> x, const RowTransform& transform,
                  const Executor& executor) {
  BELFRY_CHECK(check_length(plan, x, "ntt.transform"));
  Passes passes(plan, executor);
  passes.first_down(x.data(), *transform.rotation);
  passes.middle_down(x.data(), *transform.rotation);
  passes.rows(x.data(), {.down = &transform});
  return {};
}

Result<void> up(const Plan& plan, std::span<Fr> x, const RowTransform& transform,
                const Executor& executor) {
  BELFRY_CHECK(check_length(plan, x, "ntt.transform"));
  Passes passes(plan, executor);
  passes.rows(x.data(), {.up = &transform});
  passes.middle_up(x.data(), *transform.rotation);
  passes.first_up(x.data(), *transform.rotation);
  return {};
}

}  // namespace

Result<void> forward(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  BELFRY_CHECK(forward_to_reversed(plan, x, executor));
  return bit_reverse(x, executor);
}
Result<void> inverse(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  BELFRY_CHECK(inverse_to_reversed(plan, x, executor));
  return bit_reverse(x, executor);
}
Result<void> coset_forward(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  BELFRY_CHECK(check_length(plan, x, "ntt.coset_forward"));
  BELFRY_CHECK(bit_reverse(x, executor));
  return coset_forward_from_reversed(plan, x, executor);
}
Result<void> coset_inverse(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  BELFRY_CHECK(coset_inverse_to_reversed(plan, x, executor));
  return bit_reverse(x, executor);
}

Result<void> forward_to_reversed(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  return down(plan, x, plain(plan), executor);
}
Result<void> inverse_to_reversed(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  return down(plan, x, plain_inverse(plan), executor);
}
Result<void> forward_from_reversed(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  return up(plan, x, plain(plan), executor);
}
Result<void> inverse_from_reversed(const Plan& plan, std::span<Fr> x, const Executor& executor) {
  return up(plan, x, plain_inverse(plan), executor);
}
Result<void> coset_forward_from_reversed(const Plan& plan, std::span<Fr> x,
                                         const Executor& executor) {
  return up(plan, x, coset(plan), executor);
}
Result<void> coset_inverse_to_reversed(const Plan& plan, std::span<Fr> x,
                                       const Executor& executor) {
  return down(plan, x, coset_inverted(plan), executor);
}

Result<void> quotient(const Plan& plan, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c,
                      const Executor& executor) {
  for (const std::span<const Fr> x : {a, b, c}) {
    BELFRY_CHECK(check_length(plan, x, "ntt.quotient"));
  }
  const Fr& divisor_inverse = plan.domain().vanishing_inverse();
  const Rotation& back = plan.tables().inverse;
  const RowTransform to_coefficients = plain_inverse(plan);
  const RowTransform to_coset = coset(plan);
  RowTransform c_to_coefficients = plain_inverse(plan);
  RowTransform from_coset = coset_inverted(plan);
  c_to_coefficients.factor *= divisor_inverse;
  from_coset.factor *= divisor_inverse;

  Passes passes(plan, executor);
  passes.first_down(c.data(), back);
  passes.middle_down(c.data(), back);
  passes.rows(c.data(), {.down = &c_to_coefficients});
  for (Fr* const x : {a.data(), b.data()}) {
    passes.first_down(x, back);
    passes.middle_down(x, back);
    passes.rows(x, {.down = &to_coefficients, .up = &to_coset});
    passes.middle_up(x, *to_coset.rotation);
  }
  passes.first_up_multiply_down(a.data(), b.data(), *to_coset.rotation, back);
  passes.middle_down(a.data(), back);
  passes.rows(a.data(), {.down = &from_coset, .subtrahend = c.data()});
  return bit_reverse(a, executor);
}

}  // namespace belfry::ntt
