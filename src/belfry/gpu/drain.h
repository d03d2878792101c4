#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "belfry/base/error.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/stream.h"

namespace belfry::gpu {

/// Waits until nothing runs on the stream any more, or the context is dead: after a failure, before
/// what its work used is given back. Its own errors are those of the work, which is given up.
inline void drain(StreamRef stream) noexcept {
  if (cudaStreamSynchronize(stream.handle()) != cudaSuccess) (void)cudaGetLastError();
}

/// run_stage for what queues work that outlives it: after any failure but kCancelled, which stages
/// return between their parts and after a wait, `give_up` is called before the outcome is handed
/// on, to drain the streams and to forget what is in the memory. `give_up` does not throw.
template <class Stage, class GiveUp>
[[nodiscard]] auto run_or_drain(Stage&& stage, GiveUp&& give_up) -> decltype(stage()) {
  auto outcome = run_stage(std::forward<Stage>(stage));
  if (!outcome && outcome.error().code != ErrorCode::kCancelled) give_up();
  return outcome;
}

}  // namespace belfry::gpu
