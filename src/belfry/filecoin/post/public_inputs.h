#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// One sector of a PoSt.
struct PostSector {
  std::uint64_t number;
  Node comm_r;
};

/// What a PoSt states. The miner does not enter it: prover_id decides which sectors are asked for,
/// not what is proved about them (formats.md 4.4).
struct PostStatement {
  PostConfig config;
  Node randomness;
  std::vector<PostSector> sectors;  ///< by ascending number; a WinningPoSt has one
  /// Partitions of the miner's deadline that come before these sectors: 0, unless a later partition
  /// is proved alone. Matters under ApiVersion 1.0 and 1.1 only.
  std::uint32_t first_partition = 0;

  /// ceil(sectors / sectors per partition); a WinningPoSt has one.
  [[nodiscard]] std::uint32_t partitions() const noexcept;
};

/// Refuses statements that no PoSt makes: no sectors, more than one in a WinningPoSt, numbers that
/// do not ascend, an earlier partition of a WinningPoSt. kInvalidInput names the sector.
[[nodiscard]] Result<void> check_post_statement(const PostStatement& statement);

/// The public inputs of partition k of these sectors, ONE left out (circuits.md 3.2): per slot
/// comm_r and the challenged leaves; the last sector's fill the slots that are left. 11·W elements
/// for a WindowPoSt of W sectors a partition, 132 for a WinningPoSt.
///
/// @return kInvalidInput if k is not a partition, and as check_post_statement
/// Cost: under a microsecond a challenge. Thread-safe. Source: circuits.md 3.2, formats.md 4.4.
[[nodiscard]] Result<std::vector<Fr>> post_public_inputs(const PostStatement& statement,
                                                         std::uint32_t partition);

}  // namespace belfry::filecoin
