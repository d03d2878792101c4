#pragma once

#include <cstdint>

namespace belfry::r1cs {

/// Values of class bit, and marks of densities, that one word of a bitmap holds.
inline constexpr std::uint64_t kWordBits = 64;

}  // namespace belfry::r1cs
