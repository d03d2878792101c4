// Another process that uses the card: `vram_holder LEAVE` takes all free memory but LEAVE bytes of
// device 0, writes a line once it has it, and holds it until its input ends.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>

#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"

namespace belfry::test {
namespace {

Result<void> hold(std::uint64_t leave) {
  BELFRY_TRY(const gpu::DeviceInfo device, gpu::open_device(0));
  const std::uint64_t free_bytes = device.free_bytes;
  BELFRY_TRY(const auto memory,
             gpu::DeviceMemory::allocate(free_bytes - std::min(free_bytes, leave)));
  std::cout << memory.size_bytes() << std::endl;
  std::string ignored;
  while (std::getline(std::cin, ignored)) {
  }
  return {};
}

}  // namespace
}  // namespace belfry::test

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto outcome = belfry::test::hold(std::stoull(argv[1]));
  if (!outcome) std::cerr << outcome.error().describe() << "\n";
  return outcome ? 0 : 1;
}
