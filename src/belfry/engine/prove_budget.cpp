#include "belfry/engine/prove_budget.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/field/fr.h"

namespace belfry::engine {
namespace {

/// The asked budget, or what is left of the machine's.
std::uint64_t allowed_bytes(const JobOptions& options) {
  if (options.memory_budget_bytes != 0) return options.memory_budget_bytes;
  const std::uint64_t limit = memory_limit_bytes();
  return limit - std::min(limit, memory_use().anonymous_bytes);
}

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace

std::uint64_t witness_bytes(const r1cs::WitnessLayout& layout, std::size_t partitions) noexcept {
  return partitions * ((layout.inputs() + layout.fields()) * sizeof(Fr) +
                       layout.words() * sizeof(std::uint64_t));
}

Result<std::uint64_t> prove_budget(const groth16::Backend& backend, const r1cs::Shape& shape,
                                   std::size_t partitions, const JobOptions& options) {
  const std::uint64_t allowed = allowed_bytes(options);
  const std::uint64_t witnesses = witness_bytes(shape.layout(), partitions);
  const std::uint64_t rest = allowed - std::min(allowed, witnesses);
  const auto plan = backend.plan(shape, partitions, rest);
  if (plan) return rest;
  if (plan.error().code != ErrorCode::kResourceExhausted) return fail(plan.error());
  // The backend's error knows nothing of the witnesses: both numbers are said anew with them.
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  BELFRY_TRY(const groth16::Plan unbounded, backend.plan(shape, partitions, kNoLimit));
  Error error = plan.error();
  error.hint = "Raise the memory budget; the witnesses of " + std::to_string(partitions) +
               " partitions alone take " + bytes_text(witnesses);
  return fail(
      std::move(error).but(bytes_text(witnesses + unbounded.host_bytes()), bytes_text(allowed)));
}

}  // namespace belfry::engine
