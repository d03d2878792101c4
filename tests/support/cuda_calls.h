#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace belfry::test {

/// Sees every call that this program makes of the CUDA runtime, and can make one fail.
///
/// The linker puts itself between the program and the runtime (`--wrap`, cmake/room.cmake), so
/// nothing of this is in the libraries under test. Calls are numbered from the construction, or
/// from fail_at, on. One watch at a time, on any threads.
class CudaWatch {
 public:
  CudaWatch();
  ~CudaWatch();
  CudaWatch(const CudaWatch&) = delete;
  CudaWatch& operator=(const CudaWatch&) = delete;

  /// Call number `index`, counted from now on, answers `code` and does nothing; calls that give
  /// something back do their work all the same, so that tests do not leak.
  void fail_at(std::uint64_t index, cudaError_t code);

  /// Before call number `index`, counted from now on, `action` runs once.
  void at_call(std::uint64_t index, std::function<void()> action);

  /// From now on the count of devices has `more` that are not there: to ask for one of them fails.
  void claim_devices(int more);

  /// Calls so far; what only reads the last error does not count.
  [[nodiscard]] std::uint64_t calls() const;
  /// Of these, those of one name.
  [[nodiscard]] std::uint64_t calls(const std::string& name) const;
  /// Name of the call that failed on demand; empty if it has not come yet.
  [[nodiscard]] std::string failed() const;
  /// Calls that act on more than one stream: on the whole device, on a default stream, or on what
  /// is allocated at start-up alone. Name by name, as they came.
  [[nodiscard]] std::vector<std::string> beyond_streams() const;
};

}  // namespace belfry::test
