#pragma once

#include "belfry/field/fr.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

// Arrays of rows, element by element, of equal sizes. Throw gpu::CudaError if a launch is refused.
namespace belfry::groth16 {

/// Queues: out[i] = a[i]·b[i]; out may be one of them.
void multiply_rows_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<const Fr> b,
                         gpu::DeviceSpan<Fr> out, gpu::StreamRef stream);

/// Queues: sum[i] += a[i].
void add_rows_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<Fr> sum, gpu::StreamRef stream);

/// Queues: data[i] *= i / 2^32, of at most 2^32 elements.
void scale_by_index_async(gpu::DeviceSpan<Fr> data, gpu::StreamRef stream);

}  // namespace belfry::groth16
