#pragma once

#include <cstdint>
#include <span>

#include "belfry/base/error.h"

namespace belfry {

/// Fills `out` with secret randomness from the operating system (getrandom, waits for the pool).
[[nodiscard]] Result<void> fill_random(std::span<std::uint8_t> out);

}  // namespace belfry
