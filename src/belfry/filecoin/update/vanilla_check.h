#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_update.h"
#include "belfry/filecoin/update/statement.h"

namespace belfry::filecoin {

/// The vanilla proofs of all partitions and what they answer to.
struct VanillaUpdate {
  const SectorParams* sector;
  UpdateStatement statement;
  std::vector<VanillaUpdatePartition> partitions;  // (SectorParams::update_partitions)
};

/// The number of partitions is that of the sector size. kInvalidInput else, or for a size that has
/// no SnapDeals.
[[nodiscard]] Result<void> check_update_request(const VanillaUpdate& update);

/// Checks all that one partition's vanilla proof claims before anything is proved (formats.md 4.5,
/// 5.6): comm_r_old = H2(comm_c, root of TreeROld), comm_r_new = H2(comm_c, root of TreeRNew);
/// every path leads from its leaf to its root (that of TreeDNew is comm_d_new) at the place of the
/// challenge; new replica node = old node + data · rho; the apex leaves are the nodes of TreeDNew
/// that the challenges' paths pass, and their tree is the partition's.
///
/// @return kInvalidInput; section is "vanilla_proofs[partition].challenge_proofs[i].field" or
///         "vanilla_proofs[partition].comm_r_old" and the like, expected and found are hex.
///         Commitments that stand in each other's place are told so in the hint
/// Cost: about 100 µs a challenge at 32 GiB. Parallel over challenges. Thread-safe.
[[nodiscard]] Result<void> check_vanilla_update(const VanillaUpdate& update,
                                                std::uint32_t partition, const Executor& executor);

}  // namespace belfry::filecoin
