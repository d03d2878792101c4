#pragma once

#include "belfry/base/bytes.h"
#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/sealing/sector_files.h"
#include "belfry/filecoin/sealing/sector_record.h"

namespace belfry::filecoin {

/// The C1 output of a sealed sector: statement and vanilla proofs of all partitions, for the
/// challenges that the seed selects (not used by non-interactive sectors). From layers and trees,
/// or, if a synthetic sector has its file of prepared proofs, from that. Everything is checked as
/// before a proof (check_vanilla_proofs), so a damaged sector or a wrong identity is refused here.
///
/// kInvalidInput names file and offset, or partition, challenge and relation; kNotFound a missing
/// file; kCancelled between challenges, then between partitions. Parallel over challenges. Cost:
/// about 250 hashes a challenge. The text is write_c1's.
[[nodiscard]] Result<C1Output> make_c1(const SectorPaths& paths, const SectorIdentity& identity,
                                       const Bytes32& seed, const Executor& executor,
                                       const CancelToken& cancel = {});

}  // namespace belfry::filecoin
