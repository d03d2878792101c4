#pragma once

#include "belfry/field/fr.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

namespace belfry::groth16 {

/// Queues: out[i] = a[i]·b[i]. Equal sizes. Throws gpu::CudaError if the launch is refused.
void multiply_rows_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<const Fr> b,
                         gpu::DeviceSpan<Fr> out, gpu::StreamRef stream);

}  // namespace belfry::groth16
