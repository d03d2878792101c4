#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "belfry/curve/pairing.h"

namespace belfry::curve {

inline constexpr std::size_t kGtSize = 576;
inline constexpr std::size_t kGtCompressedSize = 288;

/// The twelve coordinates, c0.c0.c0, c0.c0.c1, c0.c1.c0, ... c1.c2.c1, each 48 bytes little-endian
/// canonical: the transcript form of spec formats.md 9.1.
[[nodiscard]] std::array<std::uint8_t, kGtSize> encode(const Gt& value);

/// b = (c0 + 1)/c1 in Fp6, its six coordinates likewise. Empty for one, which has no such form.
[[nodiscard]] std::optional<std::array<std::uint8_t, kGtCompressedSize>> encode_compressed(
    const Gt& value);

/// (b + w)/(b - w); empty if a coordinate is p or more, or the value is not in the group of order
/// r.
[[nodiscard]] std::optional<Gt> decode_gt_compressed(
    std::span<const std::uint8_t, kGtCompressedSize> bytes);

}  // namespace belfry::curve
