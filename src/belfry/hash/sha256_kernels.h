#pragma once

#include <cstddef>
#include <cstdint>

/// The compression function, once per instruction set. Private to the room and its tests.
namespace belfry::hash::detail {

/// Updates the eight words of `state` with `count` blocks of 64 bytes.
using Sha256Kernel = void (*)(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count);

void sha256_blocks_portable(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count);
/// Needs the SHA extensions, SSSE3 and SSE4.1; does nothing elsewhere.
void sha256_blocks_sha_ni(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count);
/// The 64 round constants, for kernels that share no inline code with this translation unit.
[[nodiscard]] const std::uint32_t* sha256_keys() noexcept;
/// Whether this CPU runs the one above.
[[nodiscard]] bool has_sha_ni() noexcept;

}  // namespace belfry::hash::detail
