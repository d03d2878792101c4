#pragma once

#include <cstdint>

#include "belfry/base/cpu.h"

/// How many multiply instructions of the field arithmetic one core of this machine can issue: the
/// ceiling that the floors of `belfry bench` are computed from.
namespace belfry::cli::bench {

/// Multiply instructions a second on one core when nothing else is done: 64 × 64 bit
/// multiplications, or for Isa::kIfma vpmadd52 (eight lanes each). Takes about 50 ms, best of
/// several.
[[nodiscard]] double peak_multiplies_per_second(Isa isa);

/// Bytes a second that one core reads in order from memory, best of several. Takes about 100 ms.
[[nodiscard]] double peak_read_bytes_per_second();

/// Issues iterations · 16 independent vpmadd52 and returns something made of their results. Needs
/// Isa::kIfma.
[[nodiscard]] std::uint64_t issue_vpmadd52(std::uint64_t iterations) noexcept;

}  // namespace belfry::cli::bench
