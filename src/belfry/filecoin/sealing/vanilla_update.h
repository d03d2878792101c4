#pragma once

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/sealing/sector_files.h"
#include "belfry/filecoin/update/vanilla_check.h"

namespace belfry::filecoin {

/// The vanilla proofs of all partitions of an update, from the old sector's replica and TreeR, the
/// new one's replica, TreeR and TreeD, and the p_aux of both (formats.md 4.5). Everything is
/// checked, so damaged files are refused here. The bytes are write_vanilla_update's.
///
/// @return kInvalidInput names file, or partition, challenge and field; also if the new sector is
///         no update of the old one, with a hint where the two are one, or in each other's place;
///         kNotFound a missing file; kCancelled between partitions
/// Cost: about 250 hashes a challenge. Parallel over challenges.
[[nodiscard]] Result<VanillaUpdate> make_vanilla_update(const SectorPaths& old_sector,
                                                        const SectorPaths& new_sector,
                                                        const SectorParams& sector,
                                                        const Executor& executor,
                                                        const CancelToken& cancel = {});

}  // namespace belfry::filecoin
