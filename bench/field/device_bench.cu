// Rate of Montgomery multiplication on the device, against the floor of the multiplier pipe:
// `field_gpu_bench`. Needs one CUDA device; prints one line a field and occupancy.
#include <cstdint>
#include <iostream>
#include <vector>

#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"

namespace belfry {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kRounds = 4000;

/// A chain of dependent multiplications in each thread.
template <class Field>
__global__ void chain_kernel(gpu::DeviceSpan<Field> values, unsigned rounds) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Field x = values[i];
  const Field y = x;
  for (unsigned r = 0; r < rounds; ++r) x = x * y;
  values[i] = x;
}

/// Multiplications per second with `blocks` blocks in flight.
template <class Field>
double rate(unsigned blocks, gpu::DeviceMemory& memory) {
  const std::size_t n = std::size_t{blocks} * kThreads;
  gpu::Arena arena(memory.data(), memory.size_bytes());
  const auto values = arena.take<Field>(n, "values");
  std::vector<Field> host(n);
  for (std::size_t i = 0; i < n; ++i) host[i] = Field::from_u64(i + 2).inverse();
  const gpu::Stream stream;
  gpu::upload_async<Field>(host, *values, stream);
  gpu::Event begin(gpu::Event::Timing::kOn);
  gpu::Event end(gpu::Event::Timing::kOn);
  double best = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    begin.record(stream);
    chain_kernel<Field><<<blocks, kThreads, 0, gpu::StreamRef(stream).handle()>>>(*values, kRounds);
    BELFRY_CUDA_CHECK_LAUNCH("bench.chain");
    end.record(stream);
    end.synchronize();
    const double seconds = end.milliseconds_since(begin) / 1000;
    best = std::max(best, static_cast<double>(n) * kRounds / seconds);
  }
  return best;
}

Result<void> run() {
  BELFRY_TRY(const auto devices, gpu::list_devices());
  BELFRY_CHECK(gpu::use_device(0));
  BELFRY_TRY(auto memory, gpu::DeviceMemory::allocate(std::uint64_t{1} << 28));
  std::cout << devices.front().name << "\n";
  for (const unsigned blocks_per_sm : {1U, 2U, 3U, 4U, 6U}) {
    const unsigned blocks = devices.front().multiprocessors * blocks_per_sm;
    std::cout << 2 * blocks_per_sm << " warps a scheduler: Fr " << rate<Fr>(blocks, memory) / 1e9
              << ", Fp " << rate<Fp>(blocks, memory) / 1e9 << " G multiplications/s\n";
  }
  return {};
}

}  // namespace
}  // namespace belfry

int main() {
  const auto result = belfry::gpu::run_stage([] { return belfry::run(); });
  if (!result) std::cerr << result.error().describe() << "\n";
  return result ? 0 : 1;
}
