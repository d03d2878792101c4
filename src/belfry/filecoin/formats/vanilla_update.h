#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// The three paths of one challenged node: old replica, new data, new replica.
struct VanillaUpdateChallenge {
  MerkleProof r_old;
  MerkleProof d_new;
  MerkleProof r_new;
};

/// The vanilla proof of one SnapDeals partition (formats.md 4.5, 5.4), with claims as they were
/// read: shapes are checked, relations are not (see update/vanilla_check.h).
struct VanillaUpdatePartition {
  Node comm_c;
  std::vector<Node> apex_leaves;                   // (SectorParams::update_apex)
  std::vector<VanillaUpdateChallenge> challenges;  // (SectorParams::update_challenges)
};

/// Reads the bincode bytes of one partition's vanilla proof as they travel: apex leaves, challenges
/// and paths in the numbers and trees of the sector size, canonical nodes, nothing behind them.
///
/// @param sector     a size that has SnapDeals
/// @param file_name  stands in errors only
/// @return kInvalidInput with file, section ("challenge_proofs[3].proof_d_new.path[1].index") and
///         offset. A proof of another sector size is refused here: its counts or its tree variant
///         differ. Memory is bounded by the bytes. Thread-safe.
[[nodiscard]] Result<VanillaUpdatePartition> parse_vanilla_update(ByteSpan bytes,
                                                                  const SectorParams& sector,
                                                                  std::string_view file_name);

/// The same bytes back: the reference's encoding, byte for byte. Lists and paths fit the size.
[[nodiscard]] std::vector<std::uint8_t> write_vanilla_update(
    const VanillaUpdatePartition& partition, const SectorParams& sector);

}  // namespace belfry::filecoin
