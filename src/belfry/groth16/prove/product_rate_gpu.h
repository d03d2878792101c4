#pragma once

#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

namespace belfry::groth16 {

/// Queues: every value becomes value^(rounds + 1) by a chain of dependent products, one thread
/// each. For measuring. `Field` is Fp or Fr. The number of values is a multiple of 256. Throws
/// gpu::CudaError.
template <class Field>
void multiply_chain_async(gpu::DeviceSpan<Field> values, unsigned rounds, gpu::StreamRef stream);

}  // namespace belfry::groth16
