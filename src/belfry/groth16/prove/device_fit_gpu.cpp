#include "belfry/groth16/prove/device_fit_gpu.h"

#include <algorithm>
#include <optional>

#include "belfry/gpu/arena.h"
#include "belfry/groth16/prove/device_prover_gpu.h"
#include "belfry/msm/pattern_core.h"
#include "belfry/ntt/domain.h"

namespace belfry::groth16 {

Result<ResidencyQuestion> residency_question(const PreparedShape& shape, std::size_t partitions,
                                             unsigned h_copies, unsigned lanes) {
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.shape.rows()));
  return ResidencyQuestion{.basis = shape.basis,
                           .log_rows = domain.log_size(),
                           .masks = static_cast<unsigned>(std::clamp<std::size_t>(
                               partitions, 1, std::size_t{msm::core::kMaxMasks})),
                           .h_copies = h_copies,
                           .lanes = lanes,
                           .tiled_sums = tiled_sums(shape.tails, domain.log_size())};
}

Result<DeviceFit> fit_on_device(const std::shared_ptr<const PreparedShape>& shape,
                                const ResidencyQuestion& question, const CudaDevice& device) {
  DeviceFit out;
  BELFRY_TRY(out.options,
             choose_residency(question, [&](const DeviceProverOptions& options) -> Result<void> {
               auto arena = gpu::Arena::for_plan(device.budget_bytes);
               BELFRY_TRY(const DeviceProver prover,
                          DeviceProver::take(shape, options, device.info, arena, std::nullopt));
               out.stages = prover.stages();
               for (StagePlan& stage : out.stages) stage.host_bytes = prover.host_bytes();
               return {};
             }));
  return out;
}

}  // namespace belfry::groth16
