#pragma once

#include <cstddef>
#include <cstdint>

/// Loops of vector arithmetic for the benchmark, in a source of their own because they need the
/// AVX-512 flags.
namespace belfry::bench {

inline constexpr std::size_t kBlock = 64;  ///< groups of eight elements that a call works on

/// Each group times its neighbour, in place; `memory` holds kBlock groups of 512 (Fp) or 256 (Fr)
/// bytes on 64-byte borders.
void multiply_fp(std::byte* memory);
void square_fp(std::byte* memory);
void multiply_fr(std::uint64_t* memory);

}  // namespace belfry::bench
