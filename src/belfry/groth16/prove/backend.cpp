#include "belfry/groth16/prove/backend.h"

#include <algorithm>

namespace belfry::groth16 {

std::uint64_t Plan::host_bytes() const noexcept {
  std::uint64_t most = 0;
  for (const StagePlan& stage : stages) most = std::max(most, stage.host_bytes);
  return most;
}

std::uint64_t Plan::device_bytes() const noexcept {
  std::uint64_t most = 0;
  for (const StagePlan& stage : stages) most = std::max(most, stage.device_bytes);
  return most;
}

Result<Plan> within_budget(Plan plan, const r1cs::Shape& shape, std::uint64_t budget_bytes,
                           std::string_view stage) {
  if (plan.host_bytes() <= budget_bytes) return plan;
  return fail(Error{ErrorCode::kResourceExhausted, std::string(stage),
                    "a proof of " + shape.circuit_id() + " needs more memory than is allowed"}
                  .but(std::to_string(plan.host_bytes()) + " bytes",
                       std::to_string(budget_bytes) + " bytes")
                  .with_hint("Raise the memory budget"));
}

Result<Plan> Backend::plan_with(const Parameters& /*parameters*/, const r1cs::Shape& shape,
                                std::size_t partitions, std::uint64_t budget_bytes) const {
  return plan(shape, partitions, budget_bytes);
}

void Backend::distrust(const Parameters& /*parameters*/,
                       const std::filesystem::path& /*derived*/) const {}

Result<void> check_batch(const ProveBatchView& batch, const Plan& plan, std::string_view stage) {
  if (batch.witnesses.size() == plan.partitions) return {};
  return fail(Error{ErrorCode::kInvalidUsage, std::string(stage),
                    "the batch has another number of partitions than the plan"}
                  .but(std::to_string(plan.partitions), std::to_string(batch.witnesses.size())));
}

}  // namespace belfry::groth16
