#pragma once

#include <cstdint>

#include "belfry/curve/g1.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/derived/fold_core.h"

namespace belfry::groth16 {

/// Queues: sums[i] = the sum of segment i. Throws gpu::CudaError.
void fold_segments_async(gpu::DeviceSpan<const core::FoldSegment> segments,
                         const core::FoldView& view, gpu::DeviceSpan<curve::G1Affine> sums,
                         gpu::StreamRef stream);

/// Queues: points[c] -= the sums of column c's segments.
///
/// @param first_segment  (points + 1)
void fold_columns_async(gpu::DeviceSpan<const std::uint32_t> first_segment,
                        gpu::DeviceSpan<const curve::G1Affine> sums,
                        gpu::DeviceSpan<curve::G1Affine> points, gpu::StreamRef stream);

}  // namespace belfry::groth16
