#pragma once

#include <cstdint>

#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

namespace belfry::groth16 {

/// Queues: decodes uncompressed encodings in place, since an encoding and a point take the same
/// room (core::decode_finite). Throws gpu::CudaError if the launch is refused.
///
/// @param points     their memory holds the encodings, back to back; Montgomery points afterwards
/// @param first      number of points[0] in its section
/// @param first_bad  one number on the device: lowered to that of the first point that is none
template <class Curve>
void decode_points_async(gpu::DeviceSpan<typename Curve::Affine> points, std::uint64_t first,
                         gpu::DeviceSpan<std::uint64_t> first_bad, gpu::StreamRef stream);

/// Queues: to[i] = from[indices[i]].
template <class Curve>
void gather_points_async(gpu::DeviceSpan<const typename Curve::Affine> from,
                         gpu::DeviceSpan<const std::uint32_t> indices,
                         gpu::DeviceSpan<typename Curve::Affine> to, gpu::StreamRef stream);

}  // namespace belfry::groth16
