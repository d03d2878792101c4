#pragma once

#include <filesystem>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/sealing/seal.h"
#include "belfry/filecoin/sealing/sector_files.h"

namespace belfry::filecoin {

/// What an updated sector commits to, and what it was before.
struct UpdatedCommitments {
  Node comm_r_old;
  Node comm_r_new;
  Node comm_r_last_new;
  Node comm_d_new;
};

/// The size of a sealed sector by its replica, whoever sealed it. kNotFound without one,
/// kInvalidInput for a file of another size.
[[nodiscard]] Result<const SectorParams*> sealed_size(const SectorPaths& paths);

/// SnapDeals: puts new data into a sealed sector (formats.md 4.5). TreeD over the fr32-padded data,
/// the new replica (old node + data node · rho), TreeR over it, p_aux with the old comm_c, t_aux,
/// and the old sector.json where there is one. The old sector stays as it is.
///
/// @param data  unpadded; zero bytes follow up to the sector's 127/128
/// @param directory  must not exist or be empty; it appears when everything stands in it
/// @return kInvalidInput if the data is longer, the folder is taken, the size has no SnapDeals, or
///         the old TreeR and p_aux contradict each other, or a file is none of that size; kNotFound
///         without them; kCancelled
///
/// Nodes of the old replica are not held against its TreeR, as the reference does not either:
/// make_vanilla_update refuses what a challenge hits.
///
/// Memory: some megabytes a worker; disk: three times the sector. Parallel.
[[nodiscard]] Result<UpdatedCommitments> update_sector(const SectorPaths& old_sector,
                                                       const SectorParams& sector, ByteSpan data,
                                                       const std::filesystem::path& directory,
                                                       const SealOptions& options);

}  // namespace belfry::filecoin
