#pragma once

#include <cuda_runtime_api.h>

#include <type_traits>

#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"

namespace belfry::gpu {

/// Queues: every byte of `span` becomes `byte`. Throws CudaError.
template <class T>
void fill_async(DeviceSpan<T> span, unsigned char byte, StreamRef stream) {
  static_assert(std::is_trivially_copyable_v<T>, "device memory is filled as bytes");
  BELFRY_CUDA_TRY(cudaMemsetAsync(span.data(), byte, span.size_bytes(), stream.handle()),
                  "gpu.fill");
}

/// Blocks the host until all work queued on the stream is done. Throws CudaError.
inline void wait_for(StreamRef stream) {
  BELFRY_CUDA_TRY(cudaStreamSynchronize(stream.handle()), "gpu.stream");
}

}  // namespace belfry::gpu
