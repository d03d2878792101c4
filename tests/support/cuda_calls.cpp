#include "support/cuda_calls.h"

#include <gtest/gtest.h>
#include <vector_types.h>

#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace belfry::test {
namespace {

/// What a call acts on.
enum class Acts : std::uint8_t {
  kNowhere,       ///< asks, or names a device for this thread
  kOnStream,      ///< queues on a stream, or waits for one, or for an event
  kBeyond,        ///< allocates, or acts on the whole device
  kGivesBack,     ///< destroys a stream or an event
  kGivesBackAll,  ///< frees memory, which waits for the device
};

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

struct Record {
  std::mutex mutex;
  bool on = false;
  std::uint64_t calls = 0;
  std::uint64_t fails_at = kNever;
  cudaError_t code = cudaSuccess;
  cudaError_t last = cudaSuccess;  // an error on demand that nobody has read yet
  std::string failed;
  std::vector<std::string> beyond;
  std::map<std::string, std::uint64_t> by_name;
  int claimed_devices = 0;
  std::uint64_t acts_at = kNever;
  std::function<void()> action;
};

Record& record() {
  static Record the_record;
  return the_record;
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// Writes the call down; the error that it is to end with, if any.
std::optional<cudaError_t> note(const char* name, bool beyond) {
  Record& now = record();
  std::function<void()> action;
  std::optional<cudaError_t> error;
  {
    const std::scoped_lock lock(now.mutex);
    if (!now.on) return std::nullopt;
    if (beyond) now.beyond.emplace_back(name);
    ++now.by_name[name];
    if (now.calls == now.acts_at) action = std::exchange(now.action, {});
    if (now.calls++ == now.fails_at) {
      now.failed = name;
      now.last = now.code;
      error = now.code;
    }
  }
  if (action) action();
  return error;
}

template <class Call>
cudaError_t watched(const char* name, Acts acts, cudaStream_t stream, const Call& call) {
  const bool beyond = acts == Acts::kBeyond || acts == Acts::kGivesBackAll ||
                      (acts == Acts::kOnStream && is_default(stream));
  const std::optional<cudaError_t> demanded = note(name, beyond);
  const bool gives_back = acts == Acts::kGivesBack || acts == Acts::kGivesBackAll;
  if (!demanded) return call();
  if (gives_back) (void)call();
  return *demanded;
}

/// The error on demand that is still to be read; `read` takes it away.
std::optional<cudaError_t> pending(bool read) {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  if (now.last == cudaSuccess) return std::nullopt;
  return read ? std::exchange(now.last, cudaSuccess) : now.last;
}

/// Where the runtime is to write its count of devices. As a temporary in the call's arguments it
/// dies right after the call, and adds the claimed ones then.
class ClaimedCount {
 public:
  explicit ClaimedCount(int* count) : count_(count) {}
  ~ClaimedCount() {
    Record& now = record();
    const std::scoped_lock lock(now.mutex);
    *count_ += now.claimed_devices;
  }
  ClaimedCount(const ClaimedCount&) = delete;
  ClaimedCount& operator=(const ClaimedCount&) = delete;
  [[nodiscard]] int* get() const { return count_; }

 private:
  int* count_;
};

}  // namespace

CudaWatch::CudaWatch() {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  EXPECT_FALSE(now.on) << "one watch at a time";
  now.on = true;
  now.calls = 0;
  now.fails_at = kNever;
  now.last = cudaSuccess;
  now.failed.clear();
  now.beyond.clear();
  now.by_name.clear();
  now.claimed_devices = 0;
  now.acts_at = kNever;
  now.action = {};
}

CudaWatch::~CudaWatch() {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  now.on = false;
  now.claimed_devices = 0;
}

void CudaWatch::at_call(std::uint64_t index, std::function<void()> action) {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  now.calls = 0;
  now.acts_at = index;
  now.action = std::move(action);
}

void CudaWatch::claim_devices(int more) {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  now.claimed_devices = more;
}

void CudaWatch::fail_at(std::uint64_t index, cudaError_t code) {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  now.calls = 0;
  now.fails_at = index;
  now.code = code;
  now.last = cudaSuccess;
  now.failed.clear();
}

std::uint64_t CudaWatch::calls() const {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  return now.calls;
}

std::uint64_t CudaWatch::calls(const std::string& name) const {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  const auto found = now.by_name.find(name);
  return found == now.by_name.end() ? 0 : found->second;
}

std::string CudaWatch::failed() const {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  return now.failed;
}

std::vector<std::string> CudaWatch::beyond_streams() const {
  Record& now = record();
  const std::scoped_lock lock(now.mutex);
  return now.beyond;
}

}  // namespace belfry::test

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp): the linker's names

// CMake reads the first argument of each of these lines: the name to wrap.
#define BELFRY_WATCH(name, acts, stream, parameters, arguments)            \
  extern "C" cudaError_t __real_##name parameters;                         \
  extern "C" cudaError_t __wrap_##name parameters {                        \
    return belfry::test::watched(#name, belfry::test::Acts::acts, stream,  \
                                 [&] { return __real_##name arguments; }); \
  }

// clang-format off
BELFRY_WATCH(cudaMalloc, kBeyond, nullptr, (void** p, std::size_t n), (p, n))
BELFRY_WATCH(cudaMallocHost, kBeyond, nullptr, (void** p, std::size_t n), (p, n))
BELFRY_WATCH(cudaMallocManaged, kBeyond, nullptr, (void** p, std::size_t n, unsigned flags), (p, n, flags))
BELFRY_WATCH(cudaMallocAsync, kBeyond, nullptr, (void** p, std::size_t n, cudaStream_t s), (p, n, s))
BELFRY_WATCH(cudaFreeAsync, kGivesBackAll, nullptr, (void* p, cudaStream_t s), (p, s))
BELFRY_WATCH(cudaMemPoolTrimTo, kBeyond, nullptr, (cudaMemPool_t pool, std::size_t n), (pool, n))
BELFRY_WATCH(cudaHostAlloc, kBeyond, nullptr, (void** p, std::size_t n, unsigned flags), (p, n, flags))
BELFRY_WATCH(cudaHostRegister, kBeyond, nullptr, (void* p, std::size_t n, unsigned flags), (p, n, flags))
BELFRY_WATCH(cudaFree, kGivesBackAll, nullptr, (void* p), (p))
BELFRY_WATCH(cudaFreeHost, kGivesBackAll, nullptr, (void* p), (p))
BELFRY_WATCH(cudaDeviceSynchronize, kBeyond, nullptr, (), ())
BELFRY_WATCH(cudaDeviceReset, kBeyond, nullptr, (), ())
BELFRY_WATCH(cudaMemcpy, kBeyond, nullptr, (void* to, const void* from, std::size_t n, cudaMemcpyKind kind), (to, from, n, kind))
BELFRY_WATCH(cudaMemset, kBeyond, nullptr, (void* p, int value, std::size_t n), (p, value, n))
BELFRY_WATCH(cudaStreamCreate, kBeyond, nullptr, (cudaStream_t* s), (s))
BELFRY_WATCH(cudaStreamCreateWithFlags, kBeyond, nullptr, (cudaStream_t* s, unsigned flags), (s, flags))
BELFRY_WATCH(cudaStreamDestroy, kGivesBack, nullptr, (cudaStream_t s), (s))
BELFRY_WATCH(cudaStreamSynchronize, kOnStream, s, (cudaStream_t s), (s))
BELFRY_WATCH(cudaStreamQuery, kOnStream, s, (cudaStream_t s), (s))
BELFRY_WATCH(cudaStreamWaitEvent, kOnStream, s, (cudaStream_t s, cudaEvent_t e, unsigned flags), (s, e, flags))
BELFRY_WATCH(cudaEventCreateWithFlags, kBeyond, nullptr, (cudaEvent_t* e, unsigned flags), (e, flags))
BELFRY_WATCH(cudaEventDestroy, kGivesBack, nullptr, (cudaEvent_t e), (e))
BELFRY_WATCH(cudaEventRecord, kOnStream, s, (cudaEvent_t e, cudaStream_t s), (e, s))
BELFRY_WATCH(cudaEventSynchronize, kNowhere, nullptr, (cudaEvent_t e), (e))
BELFRY_WATCH(cudaEventQuery, kNowhere, nullptr, (cudaEvent_t e), (e))
BELFRY_WATCH(cudaEventElapsedTime, kNowhere, nullptr, (float* ms, cudaEvent_t a, cudaEvent_t b), (ms, a, b))
BELFRY_WATCH(cudaMemcpyAsync, kOnStream, s, (void* to, const void* from, std::size_t n, cudaMemcpyKind kind, cudaStream_t s), (to, from, n, kind, s))
BELFRY_WATCH(cudaMemsetAsync, kOnStream, s, (void* p, int value, std::size_t n, cudaStream_t s), (p, value, n, s))
BELFRY_WATCH(__cudaLaunchKernel, kOnStream, s, (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t s), (kernel, grid, block, arguments, shared, s))
BELFRY_WATCH(cudaLaunchKernelExC, kOnStream, config->stream, (const cudaLaunchConfig_t* config, const void* kernel, void** arguments), (config, kernel, arguments))
BELFRY_WATCH(cudaLaunchHostFunc, kOnStream, s, (cudaStream_t s, cudaHostFn_t call, void* data), (s, call, data))
BELFRY_WATCH(cudaMemGetInfo, kNowhere, nullptr, (std::size_t* free_bytes, std::size_t* total), (free_bytes, total))
BELFRY_WATCH(cudaSetDevice, kNowhere, nullptr, (int device), (device))
BELFRY_WATCH(cudaGetDevice, kNowhere, nullptr, (int* device), (device))
BELFRY_WATCH(cudaGetDeviceCount, kNowhere, nullptr, (int* count), (belfry::test::ClaimedCount(count).get()))
BELFRY_WATCH(cudaDriverGetVersion, kNowhere, nullptr, (int* version), (version))
BELFRY_WATCH(cudaGetDeviceProperties, kNowhere, nullptr, (cudaDeviceProp* properties, int device), (properties, device))
BELFRY_WATCH(cudaDeviceGetAttribute, kNowhere, nullptr, (int* value, cudaDeviceAttr which, int device), (value, which, device))
BELFRY_WATCH(cudaFuncGetAttributes, kNowhere, nullptr, (cudaFuncAttributes* out, const void* kernel), (out, kernel))
BELFRY_WATCH(cudaFuncSetAttribute, kNowhere, nullptr, (const void* kernel, cudaFuncAttribute which, int value), (kernel, which, value))
BELFRY_WATCH(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, kNowhere, nullptr, (int* blocks, const void* kernel, int size, std::size_t shared, unsigned flags), (blocks, kernel, size, shared, flags))
// clang-format on

#undef BELFRY_WATCH

// Readers of the last error: they tell of a launch that failed on demand.
extern "C" cudaError_t __real_cudaPeekAtLastError();
extern "C" cudaError_t __wrap_cudaPeekAtLastError() {
  const auto error = belfry::test::pending(false);
  return error ? *error : __real_cudaPeekAtLastError();
}
extern "C" cudaError_t __real_cudaGetLastError();
extern "C" cudaError_t __wrap_cudaGetLastError() {
  const auto error = belfry::test::pending(true);
  return error ? *error : __real_cudaGetLastError();
}

// NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
