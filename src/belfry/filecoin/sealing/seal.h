#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/sealing/sector_record.h"
#include "belfry/trace/span.h"

namespace belfry::filecoin {

/// What sealing runs with.
struct SealOptions {
  const Executor& executor;
  trace::Tracer* tracer = nullptr;
  CancelToken cancel{};
  std::uint64_t memory_budget_bytes = 0;  ///< 0: what machine and cgroup have left
  std::string_view data_file{};           ///< where the data comes from, for errors
};

/// What a sector commits to.
struct SealedCommitments {
  Node comm_d;
  Node comm_r;
  Node comm_c;
  Node comm_r_last;
  Node replica_id;
};

/// Seals data as the reference does (formats.md 3): TreeD over the fr32-padded data, layers of
/// labels, TreeC over their columns, the replica and TreeR, p_aux, t_aux, and for a synthetic
/// identity the prepared proofs; beside them sector.json, if the identity has a registered proof.
///
/// @param data  unpadded; zero bytes follow up to the sector's 127/128, as the reference fills up
///              pieces and sectors
/// @param directory  must not exist or be empty; it appears when everything stands in it
/// @return kInvalidInput if the data is longer or the folder is taken, kResourceExhausted if two
///         layers exceed the memory budget or the disk is full, kCancelled
///
/// Memory: two layers, and some megabytes a worker; disk: six times the sector for two layers. Cost
/// in docs/perf/sealing.md.
[[nodiscard]] Result<SealedCommitments> seal_sector(const SectorIdentity& identity, ByteSpan data,
                                                    const std::filesystem::path& directory,
                                                    const SealOptions& options);

}  // namespace belfry::filecoin
