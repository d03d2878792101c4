#pragma once

#include "belfry/base/error.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/gpu/stream.h"
#include "belfry/r1cs/device_shape_gpu.h"
#include "belfry/r1cs/multiply_gpu.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::r1cs {

/// upload_witness_async through page-locked buffers, at the speed of the bus: returns when the host
/// has read the witness, not when it has arrived. kInvalidUsage if the witness is one of another
/// shape. Throws gpu::CudaError.
[[nodiscard]] Result<void> upload_witness(const DeviceShape& shape, const PackedWitness& from,
                                          const DeviceWitness& to, gpu::StagedUpload& staging,
                                          gpu::StreamRef stream);

}  // namespace belfry::r1cs
