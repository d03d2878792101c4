#pragma once

#include <memory>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/prepared_shape.h"
#include "belfry/groth16/prove/prover_options.h"
#include "belfry/groth16/prove/residency.h"

namespace belfry::groth16 {

/// The question for a batch: as many partitions share a pass as a pass can have. kInvalidInput for
/// more rows than a domain.
[[nodiscard]] Result<ResidencyQuestion> residency_question(const PreparedShape& shape,
                                                           std::size_t partitions,
                                                           unsigned h_copies, unsigned lanes = 1);

/// How a prover lies best in the memory of a device, and the stages under that.
struct DeviceFit {
  DeviceProverOptions options;
  std::vector<StagePlan> stages;
};

/// The first choice that a device's budget holds; arithmetic alone, nothing is allocated.
/// kResourceExhausted if none does. Throws gpu::CudaError.
[[nodiscard]] Result<DeviceFit> fit_on_device(const std::shared_ptr<const PreparedShape>& shape,
                                              const ResidencyQuestion& question,
                                              const CudaDevice& device);

}  // namespace belfry::groth16
