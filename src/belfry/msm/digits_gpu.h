#pragma once

#include <cstdint>

#include "belfry/field/fr.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/bucket_core.h"
#include "belfry/msm/pattern_core.h"

namespace belfry::msm {

/// Queues core::store_prepared for all scalars. limbs: (limbs of a scalar, scalars). Throws
/// gpu::CudaError, as the other.
void prepare_scalars_async(gpu::DeviceSpan<const Fr> scalars, const core::DigitPlan& plan,
                           std::uint64_t* limbs, gpu::StreamRef stream);

/// Queues core::make_entry for all windows of a pass and all points. keys, values: (windows of the
/// pass, points).
void make_entries_async(const core::DigitPass& pass, const std::uint64_t* limbs,
                        std::uint32_t* keys, std::uint32_t* values, gpu::StreamRef stream);

/// Queues core::make_pattern_entry for all points.
void make_pattern_entries_async(const core::MaskView& view, std::uint64_t points,
                                std::uint32_t* keys, std::uint32_t* values, gpu::StreamRef stream);

}  // namespace belfry::msm
