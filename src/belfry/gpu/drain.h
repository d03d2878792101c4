#pragma once

#include <cuda_runtime_api.h>

#include "belfry/gpu/stream.h"

namespace belfry::gpu {

/// Waits until nothing runs on the stream any more, or the context is dead: after a failure, before
/// what its work used is given back. Its own errors are those of the work, which is given up.
inline void drain(StreamRef stream) noexcept {
  if (cudaStreamSynchronize(stream.handle()) != cudaSuccess) (void)cudaGetLastError();
}

}  // namespace belfry::gpu
