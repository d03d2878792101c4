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

TEST_F(CudaCalls, OnlyTheCardThatIsAskedForIsTouched) {
  CudaWatch watch;
  const int cards = static_cast<int>(list_devices()->size());
  watch.claim_devices(2);
  const std::uint64_t before = watch.calls("cudaSetDevice");
  const auto card = open_device(0);
  ASSERT_TRUE(card) << card.error().describe();
  EXPECT_GT(card->free_bytes, 0U);
  EXPECT_EQ(watch.calls("cudaSetDevice"), before + 1);
  EXPECT_FALSE(open_device(cards)) << "claimed, and not there";
  for (const int ordinal : {-1, cards + 2}) {
    const auto refused = open_device(ordinal);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(refused.error().expected, "0 to " + std::to_string(cards + 1));
  }
}

TEST_F(CudaCalls, ACardThatFailsDeniesNoOther) {
  CudaWatch watch;
  const std::size_t cards = list_devices()->size();
  watch.claim_devices(1);
  const auto listed = list_devices();
  ASSERT_TRUE(listed) << listed.error().describe();
  ASSERT_EQ(listed->size(), cards + 1);
  EXPECT_FALSE(listed->front().failure);
  EXPECT_GT(listed->front().free_bytes, 0U);
  ASSERT_TRUE(listed->back().failure);
  EXPECT_EQ(listed->back().failure->stage, "gpu.device");
  EXPECT_EQ(listed->back().ordinal, static_cast<int>(cards));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  int chosen = -1;
  EXPECT_EQ(cudaGetDevice(&chosen), cudaSuccess);
  EXPECT_EQ(chosen, 0) << "the device of this thread stays";

  // Count, this thread's device, properties: the fourth call chooses the first card.
  watch.fail_at(3, cudaErrorDevicesUnavailable);
  const auto busy = list_devices();
  ASSERT_TRUE(busy) << busy.error().describe();
  EXPECT_EQ(watch.failed(), "cudaSetDevice");
  ASSERT_TRUE(busy->front().failure);
  EXPECT_FALSE(busy->front().name.empty()) << "what was learnt before stays";
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
  // Of these driver_types.h of CUDA 13 says that the process must be terminated and relaunched:
  // 226 Contained, 721 TensorMemoryLeak, 810 MpsClientTerminated, 911 ExternalDevice.
  for (const int code : {226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911}) {
    EXPECT_EQ(kind_of(static_cast<cudaError_t>(code)), ErrorCode::kDeviceLost) << code;
  }
  EXPECT_EQ(kind_of(cudaErrorECCUncorrectable), ErrorCode::kDeviceLost);
  EXPECT_EQ(kind_of(cudaErrorMemoryAllocation), ErrorCode::kResourceExhausted);
  EXPECT_EQ(kind_of(cudaErrorLaunchOutOfResources), ErrorCode::kBackendFailed);
}

}  // namespace
}  // namespace belfry::gpu
