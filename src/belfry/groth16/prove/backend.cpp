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

}  // namespace belfry::groth16
