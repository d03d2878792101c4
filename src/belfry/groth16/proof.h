#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

namespace belfry::groth16 {

/// One Groth16 proof (spec formats.md 2.3). Points are affine, in Montgomery form. A value.
struct Proof {
  curve::G1Affine a;
  curve::G2Affine b;
  curve::G1Affine c;
};

inline constexpr std::size_t kProofBytes = 192;
using ProofBytes = std::array<std::uint8_t, kProofBytes>;

/// A (48 bytes) ‖ B (96) ‖ C (48), compressed, big-endian coordinates (spec formats.md 1.5).
[[nodiscard]] ProofBytes encode(const Proof& proof);
/// Proofs in the order of their partitions, 192 bytes each.
[[nodiscard]] std::vector<std::uint8_t> encode(std::span<const Proof> proofs);

/// The inverse of `encode`. kInvalidInput, with section ("A", "B", "C") and offset, for any other
/// length than 192, a malformed encoding, a point off the curve or outside its subgroup, or
/// infinity. Costs two G1 and one G2 square root and subgroup checks, 0.2 milliseconds. `file`
/// stands in errors only; empty where the bytes come from no file.
[[nodiscard]] Result<Proof> parse_proof(ByteSpan bytes, std::string_view file = {});
/// Exactly `count` proofs of 192 bytes; errors name the partition in their section ("proof 3, B").
[[nodiscard]] Result<std::vector<Proof>> parse_proofs(ByteSpan bytes, std::size_t count,
                                                      std::string_view file = {});

}  // namespace belfry::groth16
