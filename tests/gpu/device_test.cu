#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>

#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"

namespace belfry::gpu {
namespace {

__global__ void increment_kernel(DeviceSpan<std::uint32_t> values) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < values.size()) values[i] += 1;
}

__global__ void out_of_bounds_kernel(std::uint32_t* nowhere) { *nowhere = 1; }

TEST(Device, IsDescribed) {
  const auto devices = list_devices();
  ASSERT_TRUE(devices) << devices.error().describe();
  ASSERT_FALSE(devices->empty());
  EXPECT_GT(devices->front().multiprocessors, 0U);
  EXPECT_GT(devices->front().total_bytes, devices->front().free_bytes);
  EXPECT_EQ(devices->front().uuid.size(),
            std::string("GPU-12345678-1234-1234-1234-123456789012").size());
}

TEST(Device, RunsAKernelInsideTheArena) {
  ASSERT_TRUE(use_device(0));
  auto memory = DeviceMemory::allocate(1 << 20);
  ASSERT_TRUE(memory) << memory.error().describe();
  Arena arena(memory->data(), memory->size_bytes());
  const Stream stream;
  PinnedBuffer<std::uint32_t> host(1000);
  std::iota(host.span().begin(), host.span().end(), 0U);

  const auto values = arena.take<std::uint32_t>(host.span().size(), "values");
  ASSERT_TRUE(values);
  upload_async<std::uint32_t>(host.span(), *values, stream);
  increment_kernel<<<4, 256, 0, StreamRef(stream).handle()>>>(*values);
  BELFRY_CUDA_CHECK_LAUNCH("test.increment");
  download_async<std::uint32_t>(*values, host.span(), stream);
  stream.synchronize();
  for (std::uint32_t i = 0; i < host.span().size(); ++i) EXPECT_EQ(host.span()[i], i + 1);
}

TEST(Device, RefusesWhatTheCardDoesNotHave) {
  const auto memory = DeviceMemory::allocate(std::uint64_t{1} << 50);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::kResourceExhausted);
  EXPECT_FALSE(memory.error().expected.empty());
  ASSERT_TRUE(DeviceMemory::allocate(1 << 20)) << "the refusal must leave no error behind";
}

TEST(Device, NamesARefusedLaunch) {
  const auto result = run_stage([]() -> Result<void> {
    const Stream stream;
    increment_kernel<<<1, 4096, 0, StreamRef(stream).handle()>>>({});
    BELFRY_CUDA_CHECK_LAUNCH("test.increment");
    return {};
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBackendFailed);
  EXPECT_EQ(result.error().stage, "test.increment");
  (void)cudaGetLastError();
}

// Last, in a process of its own: afterwards the context is dead.
TEST(DeviceDeathTest, TellsADeadContextFromAFailedCall) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const auto result = run_stage([]() -> Result<void> {
          const Stream stream;
          out_of_bounds_kernel<<<1, 1, 0, StreamRef(stream).handle()>>>(
              reinterpret_cast<std::uint32_t*>(std::uintptr_t{64}));
          stream.synchronize();
          return {};
        });
        const bool lost = !result && result.error().code == ErrorCode::kDeviceLost;
        _Exit(lost ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace belfry::gpu
