#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// The vanilla proof of one sector in a PoSt (formats.md 5.4, FallbackPoStSectorProof), with claims
/// as they were read: shapes are checked, relations are not (see post/job.h).
struct VanillaPostSector {
  std::uint64_t sector_number = 0;
  Node comm_r;
  std::vector<MerkleProof> inclusions;  // (PostConfig::vanilla_challenges()), paths in TreeR
  Node comm_c;
  Node comm_r_last;
};

/// The number of the sector that a vanilla proof says it is of, read alone: the proof may be
/// damaged behind it. kInvalidInput for fewer than 8 bytes.
[[nodiscard]] Result<std::uint64_t> vanilla_post_sector(ByteSpan bytes, std::string_view file_name);

/// Reads the bincode bytes of one sector's vanilla proof as they travel: 66 or 10 paths in the tree
/// of the sector size, sector_count 1, canonical nodes, nothing behind them.
///
/// @param file_name  stands in errors only
/// @return kInvalidInput with file, section ("inclusion_proofs[3].base_proof.path[1].index") and
///         offset. A proof of another sector size or kind is refused here: its counts or its tree
///         variant differ. Memory is bounded by the bytes. Thread-safe. 250 µs for 32 GiB winning.
[[nodiscard]] Result<VanillaPostSector> parse_vanilla_post(ByteSpan bytes, const PostConfig& config,
                                                           std::string_view file_name);

/// The same bytes back: the reference's encoding, byte for byte. Paths fit the sector size.
[[nodiscard]] std::vector<std::uint8_t> write_vanilla_post(const VanillaPostSector& sector,
                                                           const SectorParams& size);

}  // namespace belfry::filecoin
