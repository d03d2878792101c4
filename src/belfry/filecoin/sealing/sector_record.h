#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// Whose sector it is and how it was sealed: what the files of the reference do not say, but what
/// every proof about them needs.
struct SectorIdentity {
  PorepConfig config;
  /// Absent for sizes without registered proofs.
  std::optional<SealProof> registered;
  std::uint64_t miner;
  std::uint64_t sector_number;
  Bytes32 ticket;
};

/// The identity for a registered proof.
[[nodiscard]] SectorIdentity sector_identity(const SealProof& proof, std::uint64_t miner,
                                             std::uint64_t sector_number, const Bytes32& ticket);

/// The replica id of a sector of this identity with that data.
[[nodiscard]] Node replica_id_of(const SectorIdentity& identity, const Node& comm_d);

/// `sector.json` beside the files of the reference, which ignores it: `registered_proof`, `miner`,
/// `sector`, `ticket` (hex). Compact JSON with a last newline. The identity names its registered
/// proof.
[[nodiscard]] std::string write_sector_record(const SectorIdentity& identity);
/// Strict JSON; other keys are ignored. kInvalidInput with file, key and offset.
[[nodiscard]] Result<SectorIdentity> parse_sector_record(ByteSpan text, std::string_view file_name);
/// The same from a file, of at most a megabyte. kNotFound if there is none.
[[nodiscard]] Result<SectorIdentity> read_sector_record(const std::filesystem::path& path);

}  // namespace belfry::filecoin
