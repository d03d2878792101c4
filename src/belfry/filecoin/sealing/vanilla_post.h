#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/filecoin/post/challenges.h"
#include "belfry/filecoin/sealing/sector_files.h"

namespace belfry::filecoin {

/// The vanilla proof of one sealed sector for a WinningPoSt or WindowPoSt, from its replica, TreeR
/// and p_aux alone (formats.md 4.4). Every path is checked, so a damaged replica is refused here.
///
/// @param place  the sector and its place in the list of the whole PoSt, which matters under api
///               versions 1.0 and 1.1
/// @return kInvalidInput names file, or challenge; kNotFound a missing file
/// Cost: about 80 hashes a challenge. Parallel over challenges. The bytes are write_vanilla_post's.
[[nodiscard]] Result<VanillaPostSector> make_vanilla_post(const SectorPaths& paths,
                                                          const PostConfig& config,
                                                          const Node& randomness,
                                                          const PostPlace& place,
                                                          const Executor& executor);

}  // namespace belfry::filecoin
