#pragma once

#include <cstdint>

namespace belfry::gpu {

/// What the driver says is free of the current device's memory: allocations of every process count,
/// and what the driver keeps for contexts, code and stacks. Throws CudaError.
[[nodiscard]] std::uint64_t free_device_bytes();

}  // namespace belfry::gpu
