#pragma once

#include <memory>
#include <span>

#include "belfry/base/cpu.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"

namespace belfry::ntt {

/// The tables of one domain for one instruction set: twiddles for both directions and the coset's
/// powers. At most 4 MiB whatever the size (they are per pass, not per element). Immutable once
/// made, so any number of threads may use one plan at a time. Movable.
class Plan {
 public:
  /// Limits of `level_log`: 2^11 · 8 elements fit a level-2 cache of 1 MiB.
  static constexpr unsigned kMinLevelLog = 5;
  static constexpr unsigned kMaxLevelLog = 11;

  /// `level_log` is the logarithm of the longest piece of a transform that is done in cache, so of
  /// what one pass over memory achieves. Fails with kInvalidUsage if this CPU lacks `isa` or
  /// `level_log` is out of its limits. Cost: a few thousand multiplications.
  [[nodiscard]] static Result<Plan> create(const Domain& domain, Isa isa = best_isa(),
                                           unsigned level_log = kMaxLevelLog);
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  [[nodiscard]] const Domain& domain() const noexcept { return domain_; }
  [[nodiscard]] Isa isa() const noexcept { return isa_; }

  /// The tables behind; known to the transforms only.
  struct Tables;
  [[nodiscard]] const Tables& tables() const noexcept { return *tables_; }

 private:
  Plan(const Domain& domain, Isa isa, std::unique_ptr<const Tables> tables) noexcept;

  Domain domain_;
  Isa isa_;
  std::unique_ptr<const Tables> tables_;
};

// All transforms work in place on exactly m = plan.domain().size() elements and fail with
// kInvalidUsage if the length differs. They spread over `executor`'s workers and return when done.
// The result does not depend on the instruction set or the number of threads. Beside the data they
// hold less than 1 MiB per worker. Order is natural unless the name says otherwise; bit-reversed
// means that index i lies at the place with the log_size bits of i reversed. The versions in
// natural order on both sides cost one more pass over memory. Source: spec formats.md 2.2.

/// Coefficients to values: out[i] = sum_j x[j] · omega^(i·j).
[[nodiscard]] Result<void> forward(const Plan& plan, std::span<Fr> x, const Executor& executor);
/// Values to coefficients, scaled by 1/m: the inverse of `forward`.
[[nodiscard]] Result<void> inverse(const Plan& plan, std::span<Fr> x, const Executor& executor);
/// Coefficients to values on the coset: out[i] = sum_j x[j] · (7·omega^i)^j.
[[nodiscard]] Result<void> coset_forward(const Plan& plan, std::span<Fr> x,
                                         const Executor& executor);
/// The inverse of `coset_forward`.
[[nodiscard]] Result<void> coset_inverse(const Plan& plan, std::span<Fr> x,
                                         const Executor& executor);

/// `forward` from natural to bit-reversed order.
[[nodiscard]] Result<void> forward_to_reversed(const Plan& plan, std::span<Fr> x,
                                               const Executor& executor);
/// `inverse` from natural to bit-reversed order.
[[nodiscard]] Result<void> inverse_to_reversed(const Plan& plan, std::span<Fr> x,
                                               const Executor& executor);
/// `forward` from bit-reversed to natural order.
[[nodiscard]] Result<void> forward_from_reversed(const Plan& plan, std::span<Fr> x,
                                                 const Executor& executor);
/// `inverse` from bit-reversed to natural order.
[[nodiscard]] Result<void> inverse_from_reversed(const Plan& plan, std::span<Fr> x,
                                                 const Executor& executor);
/// `coset_forward` from bit-reversed to natural order.
[[nodiscard]] Result<void> coset_forward_from_reversed(const Plan& plan, std::span<Fr> x,
                                                       const Executor& executor);
/// `coset_inverse` from natural to bit-reversed order.
[[nodiscard]] Result<void> coset_inverse_to_reversed(const Plan& plan, std::span<Fr> x,
                                                     const Executor& executor);

/// Swaps every element with the one at the bit-reversed index. The length must be a power of two up
/// to 2^32 (kInvalidUsage).
[[nodiscard]] Result<void> bit_reverse(std::span<Fr> x, const Executor& executor);

/// The quotient h = (A·B - C) / Z of spec formats.md 2.2.
///
/// On entry a, b and c hold the evaluations on H, padded with zeros to m. On return `a` holds the
/// coefficients of h in natural order: m - 1 of them count, a[m-1] is zero exactly if the system is
/// satisfied (a∘b = c). `b` and `c` are left undefined. The three must not overlap.
///
/// Six transforms instead of seven, because 1/m·sum on the coset undoes the coset transform of C:
/// h·(g^m - 1) = coset_inverse(coset_forward(A) ∘ coset_forward(B)) - C, coefficient by
/// coefficient.
[[nodiscard]] Result<void> quotient(const Plan& plan, std::span<Fr> a, std::span<Fr> b,
                                    std::span<Fr> c, const Executor& executor);

}  // namespace belfry::ntt
