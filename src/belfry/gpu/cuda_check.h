#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "belfry/base/error.h"

namespace belfry::gpu {

/// A failed CUDA call. Thrown inside GPU code only; whoever runs a stage turns it into an `Error`
/// with `to_error`, so it never crosses a thread, the C ABI or an RPC.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, std::string_view stage, std::string_view call)
      : std::runtime_error(std::string(call) + ": " + cudaGetErrorName(code) + " (" +
                           cudaGetErrorString(code) + ")"),
        code_(code),
        stage_(stage) {}

  [[nodiscard]] cudaError_t code() const noexcept { return code_; }
  [[nodiscard]] const std::string& stage() const noexcept { return stage_; }
  /// True if the context is unusable: every later call fails too, and only a new process (or device
  /// worker) helps.
  [[nodiscard]] bool is_fatal() const noexcept;
  /// kDeviceLost if fatal, kResourceExhausted for memory, otherwise kBackendFailed.
  [[nodiscard]] Error to_error() const;

 private:
  cudaError_t code_;
  std::string stage_;
};

/// Runs a stage of GPU work and hands a CudaError up as a value: the only catch of one.
/// `stage` returns a Result.
template <class Stage>
[[nodiscard]] auto run_stage(Stage&& stage) -> decltype(stage()) {
  try {
    return stage();
  } catch (const CudaError& error) {
    return fail(error.to_error());
  }
}

}  // namespace belfry::gpu

/// Checks one CUDA call. The error state is cleared so that the next check reports its own call.
#define BELFRY_CUDA_TRY(call, stage)                                 \
  do {                                                               \
    const cudaError_t belfry_status = (call);                        \
    if (belfry_status != cudaSuccess) {                              \
      (void)cudaGetLastError();                                      \
      throw ::belfry::gpu::CudaError(belfry_status, (stage), #call); \
    }                                                                \
  } while (false)

/// Checks the launch just queued: bad configurations show here, faults of the kernel at the next
/// wait.
#define BELFRY_CUDA_CHECK_LAUNCH(stage) BELFRY_CUDA_TRY(cudaPeekAtLastError(), stage)
