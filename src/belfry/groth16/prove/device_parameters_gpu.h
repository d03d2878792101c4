#pragma once

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/device_prover_gpu.h"

namespace belfry::groth16 {

/// Brings the points of a parameter file to their place on the device: encoded bytes are copied
/// there and decoded in place, each checked to be a finite point of the curve as SectionSource
/// does.
///
/// @param points  as many as the file has (check_counts)
/// @param arena   lends a few bytes while it runs
/// @return kInvalidInput with file, section, index and offset of the first bad point of the first
///         bad section
///
/// Cost: the bus's time for the file (47 GB at 32 GiB). Waits. Throws gpu::CudaError.
[[nodiscard]] Result<void> load_points(const Parameters& parameters, const DevicePoints& points,
                                       gpu::StagedUpload& upload, gpu::Arena& arena,
                                       gpu::StreamRef stream);

}  // namespace belfry::groth16
