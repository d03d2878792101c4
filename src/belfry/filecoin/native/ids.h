#pragma once

#include <cstdint>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// The miner's id address as 32 bytes: unsigned LEB128 of the actor id, left aligned, zero filled.
/// 1000 -> e8 07 00 ... (formats.md 3.2).
[[nodiscard]] Bytes32 prover_id(std::uint64_t miner) noexcept;

/// replica_id = trunc254(SHA-256(prover_id ‖ sector u64 BE ‖ ticket ‖ comm_d ‖ porep_id)).
struct ReplicaIdInputs {
  Bytes32 prover_id;
  std::uint64_t sector_number;
  Bytes32 ticket;
  Node comm_d;
  Bytes32 porep_id;
};
[[nodiscard]] Node replica_id(const ReplicaIdInputs& inputs);

}  // namespace belfry::filecoin
