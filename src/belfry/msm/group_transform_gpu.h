#pragma once

#include <cstdint>

#include "belfry/curve/g1.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/group_transform_core.h"

namespace belfry::msm {

/// Queues one level of the transform of 2^log_size points of order r, in place
/// (group_transform_core.h). Levels run from depth 0 to log_size - 1, all on one stream; after the
/// last the place of the reversed bits of j holds Σ_k root^(j·k)·Q_k.
///
/// Cost: a product of a point a butterfly, about 1,900 multiplications in Fp: minutes for 2^27
/// points. Throws gpu::CudaError.
void transform_level_async(gpu::DeviceSpan<curve::G1Affine> points, const core::GroupLevel& level,
                           gpu::StreamRef stream);

/// Queues: points[i] *= scale.of(first + i), points of order r.
void scale_points_async(gpu::DeviceSpan<curve::G1Affine> points, const core::PointScale& scale,
                        std::uint64_t first, gpu::StreamRef stream);

}  // namespace belfry::msm
