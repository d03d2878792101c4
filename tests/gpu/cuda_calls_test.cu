// The watch on CUDA calls that other tests rely on: it sees what it is for, and fails on demand.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "belfry/gpu/device.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "support/cuda_calls.h"

namespace belfry::gpu {
namespace {

using test::CudaWatch;
using Names = std::vector<std::string>;

__global__ void nothing_kernel() {}

class CudaCalls : public testing::Test {
 protected:
  static DeviceMemory allocate() {
    auto memory = DeviceMemory::allocate(1 << 20);
    EXPECT_TRUE(memory);
    return *std::move(memory);
  }
  DeviceMemory memory_ = allocate();
  Stream stream_;
  DeviceSpan<std::byte> span_{memory_.data(), 1024};
};

TEST_F(CudaCalls, WorkOnAStreamStaysThere) {
  std::array<std::byte, 1024> host{};
  Event event;
  const CudaWatch watch;
  upload_async<std::byte>(host, span_, stream_);
  fill_async(span_, 1, stream_);
  nothing_kernel<<<1, 1, 0, StreamRef(stream_).handle()>>>();
  BELFRY_CUDA_CHECK_LAUNCH("test.launch");
  event.record(stream_);
  event.order_before(stream_);
  stream_.synchronize();
  EXPECT_EQ(watch.beyond_streams(), Names{});
  EXPECT_EQ(watch.calls(), 6U);
}

TEST_F(CudaCalls, WhatGoesBeyondAStreamIsSeen) {
  const CudaWatch watch;
  {
    const DeviceMemory more = allocate();
  }
  {
    const PinnedBuffer<std::byte> pinned(1);
  }
  {
    const Stream stream;
  }
  {
    const Event event;
  }
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaMemset(span_.data(), 0, span_.size()), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(span_.data(), 0, span_.size(), nullptr), cudaSuccess);
  nothing_kernel<<<1, 1>>>();
  nothing_kernel<<<1, 1, 0, cudaStreamPerThread>>>();
  EXPECT_EQ(watch.beyond_streams(),
            (Names{"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaFreeHost",
                   "cudaStreamCreateWithFlags", "cudaEventCreateWithFlags", "cudaDeviceSynchronize",
                   "cudaMemset", "cudaMemsetAsync", "__cudaLaunchKernel", "__cudaLaunchKernel"}));
}

TEST_F(CudaCalls, FailOnDemandAndLeaveNothingBehind) {
  CudaWatch watch;
  const auto work = [this]() -> Result<void> {
    fill_async(span_, 1, stream_);
    nothing_kernel<<<1, 1, 0, StreamRef(stream_).handle()>>>();
    BELFRY_CUDA_CHECK_LAUNCH("test.launch");
    stream_.synchronize();
    return {};
  };
  const std::array<std::string, 3> stages{"gpu.fill", "test.launch", "gpu.stream"};
  for (std::uint64_t i = 0; i < stages.size(); ++i) {
    watch.fail_at(i, cudaErrorInvalidConfiguration);
    const auto outcome = run_stage(work);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kBackendFailed);
    EXPECT_EQ(outcome.error().stage, stages[i]);
    EXPECT_FALSE(watch.failed().empty());
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_TRUE(run_stage(work));
  }
  watch.fail_at(stages.size(), cudaErrorInvalidConfiguration);
  EXPECT_TRUE(run_stage(work));
  EXPECT_EQ(watch.calls(), stages.size());
}

TEST_F(CudaCalls, ADriverWithoutAUsableCardIsAFailure) {
  CudaWatch watch;
  watch.fail_at(0, cudaErrorNoDevice);
  EXPECT_EQ(list_devices().error().code, ErrorCode::kBackendFailed);
  watch.fail_at(0, cudaErrorInsufficientDriver);
  EXPECT_EQ(list_devices().error().code, ErrorCode::kBackendFailed);
  EXPECT_EQ(watch.failed(), "cudaGetDeviceCount");
  ASSERT_TRUE(list_devices());
}

TEST_F(CudaCalls, FailuresHaveTheirKind) {
  CudaWatch watch;
  const auto kind_of = [&](cudaError_t code) {
    watch.fail_at(0, code);
    const auto outcome = run_stage([this]() -> Result<void> {
      stream_.synchronize();
      return {};
    });
    EXPECT_FALSE(outcome);
    return outcome.error().code;
  };
  EXPECT_EQ(kind_of(cudaErrorIllegalAddress), ErrorCode::kDeviceLost);
  EXPECT_EQ(kind_of(cudaErrorECCUncorrectable), ErrorCode::kDeviceLost);
  EXPECT_EQ(kind_of(cudaErrorMemoryAllocation), ErrorCode::kResourceExhausted);
  EXPECT_EQ(kind_of(cudaErrorLaunchOutOfResources), ErrorCode::kBackendFailed);
}

}  // namespace
}  // namespace belfry::gpu
