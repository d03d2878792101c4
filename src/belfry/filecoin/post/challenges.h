#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

/// Which leaves of TreeR a PoSt asks for. Everything here is thread-safe and costs one SHA-256
/// block or two a challenge. Source: circuits.md 3.2, formats.md 4.4.
namespace belfry::filecoin {

/// LE64(SHA-256(randomness ‖ sector number u64 LE ‖ index u64 LE)) mod nodes; 0 is possible.
[[nodiscard]] std::uint64_t post_challenge(const Node& randomness, std::uint64_t sector_number,
                                           std::uint64_t index, std::uint64_t nodes);

/// One sector of a PoSt and its place in the whole list, which is ordered by sector number and
/// counts the sectors of earlier partitions. The one sector of a WinningPoSt stands at place 0.
struct PostPlace {
  std::uint64_t sector_number;
  std::uint64_t position = 0;
};

/// The challenged leaves of one sector in the order of its vanilla proof: 66 for a WinningPoSt, 10
/// for a WindowPoSt. Index of challenge n: position · challenges + n under ApiVersion 1.0 and 1.1,
/// n under 1.2.
[[nodiscard]] std::vector<std::uint64_t> post_challenges(const PostConfig& config,
                                                         const Node& randomness,
                                                         const PostPlace& place);

/// Which of `sectors` sectors (at least one) a WinningPoSt is about:
/// LE64(SHA-256(prover_id ‖ randomness ‖ candidate u64 LE)) mod sectors. Candidate 0 for the one
/// sector that is proved.
[[nodiscard]] std::uint64_t winning_sector(const Bytes32& prover_id, const Node& randomness,
                                           std::uint64_t candidate, std::uint64_t sectors);

}  // namespace belfry::filecoin
