#include "belfry/engine/prove_budget.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/field/fr.h"

namespace belfry::engine {
namespace {

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

/// What the budgets of batches follow from. A view.
struct BudgetQuestion {
  const groth16::Backend& backend;
  const r1cs::Shape& shape;
  std::uint64_t allowed;
  const groth16::Parameters* parameters;  ///< null: any

  [[nodiscard]] Result<groth16::Plan> plan(std::size_t partitions, std::uint64_t bytes) const {
    return parameters == nullptr ? backend.plan(shape, partitions, bytes)
                                 : backend.plan_with(*parameters, shape, partitions, bytes);
  }
  /// What is left of the allowed bytes beside the witnesses of a batch.
  [[nodiscard]] std::uint64_t rest(std::size_t partitions) const {
    return allowed - std::min(allowed, witness_bytes(shape.layout(), partitions));
  }
  /// Whether a batch fits; other errors than kResourceExhausted are handed on.
  [[nodiscard]] Result<bool> fits(std::size_t partitions) const {
    const auto plan = this->plan(partitions, rest(partitions));
    if (plan) return true;
    if (plan.error().code != ErrorCode::kResourceExhausted) return fail(plan.error());
    return false;
  }
};

/// The error of one partition that does not fit: the backend's knows nothing of its witness, so
/// both numbers are said anew with it.
Result<ProveBudget> refuse_one(const BudgetQuestion& question) {
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t witness = witness_bytes(question.shape.layout(), 1);
  BELFRY_TRY(const groth16::Plan unbounded, question.plan(1, kNoLimit));
  const auto plan = question.plan(1, question.rest(1));
  Error error = plan ? Error{ErrorCode::kInternal, "engine.budget", "a plan that did not fit fits"}
                     : plan.error();
  error.hint =
      "Raise the memory budget; the witness of a partition alone takes " + bytes_text(witness);
  return fail(std::move(error).but(bytes_text(witness + unbounded.host_bytes()),
                                   bytes_text(question.allowed)));
}

}  // namespace

std::uint64_t allowed_memory_bytes(const JobOptions& options) {
  if (options.memory_budget_bytes != 0) return options.memory_budget_bytes;
  return available_memory_bytes();
}

std::uint64_t witness_bytes(const r1cs::WitnessLayout& layout, std::size_t partitions) noexcept {
  return partitions * ((layout.inputs() + layout.fields()) * sizeof(Fr) +
                       layout.words() * sizeof(std::uint64_t));
}

Result<ProveBudget> prove_budget(const groth16::Backend& backend, const r1cs::Shape& shape,
                                 std::size_t partitions, const JobOptions& options,
                                 const groth16::Parameters* parameters) {
  const BudgetQuestion question{backend, shape, allowed_memory_bytes(options), parameters};
  BELFRY_TRY(const bool all, question.fits(partitions));
  if (all) return ProveBudget{partitions, question.rest(partitions)};
  // `most` partitions fit, `most + gap` do not.
  std::size_t most = 0;
  for (std::size_t gap = partitions; gap > 1;) {
    const std::size_t step = gap / 2;
    BELFRY_TRY(const bool more, question.fits(most + step));
    if (more) most += step;
    gap = more ? gap - step : step;
  }
  if (most == 0) return refuse_one(question);
  const std::size_t batches = (partitions + most - 1) / most;
  const std::size_t equal = (partitions + batches - 1) / batches;
  return ProveBudget{equal, question.rest(equal)};
}

}  // namespace belfry::engine
