// Transforms on the device against the floor of the multiplier pipe: `ntt_gpu_bench [log_size
// ...]`. The floor counts the butterflies' multiplications, log_size/2 an element, at the rate that
// field_gpu_bench measures; it is given as the first line's rate would allow.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "../device_time.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/ntt/tree_gpu.h"

namespace belfry {
namespace {

constexpr std::size_t kRepeats = 7;

__global__ void fill_kernel(gpu::DeviceSpan<Fr> data) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= data.size()) return;
  Fr x = Fr::from_u64(i + 1);
  for (int k = 0; k < 3; ++k) x = x.square();
  data[i] = x;
}

Result<void> measure(unsigned log_size, gpu::DeviceMemory& memory, const gpu::Stream& stream) {
  BELFRY_TRY(const auto domain, ntt::Domain::of_log_size(log_size));
  gpu::Arena arena(memory.data(), memory.size_bytes());
  BELFRY_TRY(const auto tree, ntt::DeviceTree::create(domain, arena, stream));
  std::vector<gpu::DeviceSpan<Fr>> arrays;
  for (int i = 0; i < 4; ++i) {
    BELFRY_TRY(const auto array, arena.take<Fr>(domain.size(), "data"));
    fill_kernel<<<static_cast<unsigned>((domain.size() + 255) / 256), 256, 0,
                  gpu::StreamRef(stream).handle()>>>(array);
    BELFRY_CUDA_CHECK_LAUNCH("bench.fill");
    arrays.push_back(array);
  }
  stream.synchronize();
  const auto one = [&](ntt::TreeDirection direction) {
    return bench::median_ms(stream, kRepeats, [&] {
      tree.transform_async(direction, ntt::TreePoints::kCoset, arrays[0], stream);
    });
  };
  const double down = one(ntt::TreeDirection::kDown);
  const double up = one(ntt::TreeDirection::kUp);
  const double six = bench::median_ms(
      stream, kRepeats, [&] { tree.quotient_async(arrays[0], arrays[1], arrays[2], stream); });
  const double four = bench::median_ms(stream, kRepeats, [&] {
    tree.domain_quotient_async(arrays[0], arrays[1], arrays[2], arrays[3], stream);
  });
  const double butterflies = static_cast<double>(domain.size()) / 2 * log_size;
  std::cout << "2^" << log_size << ": down " << down << " ms (" << butterflies / down / 1e6
            << " G butterflies/s), up " << up << " ms, quotient by six transforms " << six
            << " ms, by four " << four << " ms (" << 4 * butterflies / four / 1e6
            << " G butterflies/s)\n";
  return {};
}

Result<void> run(const std::vector<unsigned>& sizes) {
  BELFRY_TRY(const auto devices, gpu::list_devices());
  BELFRY_CHECK(gpu::use_device(0));
  BELFRY_TRY(auto memory, gpu::DeviceMemory::allocate(std::uint64_t{18} << 30));
  std::cout << devices.front().name << ", medians of " << kRepeats << "\n";
  const gpu::Stream stream;
  for (const unsigned log_size : sizes) BELFRY_CHECK(measure(log_size, memory, stream));
  return {};
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  std::vector<unsigned> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<unsigned>(std::stoul(argv[i])));
  if (sizes.empty()) sizes = {20, 22, 24, 27};
  const auto result = belfry::gpu::run_stage([&] { return belfry::run(sizes); });
  if (!result) std::cerr << result.error().describe() << "\n";
  return result ? 0 : 1;
}
