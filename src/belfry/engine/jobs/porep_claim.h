#pragma once

#include <cstdint>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/porep/public_inputs.h"

namespace belfry::engine {

/// Whose sector it is: decides the replica id together with the ticket and comm_d.
struct SectorIdentity {
  std::uint64_t miner = 0;
  std::uint64_t sector = 0;
};

/// What a PoRep proof is checked against.
struct PorepClaim {
  filecoin::SealProof type;
  Bytes32 comm_r{};
  Bytes32 comm_d{};
  Bytes32 ticket{};
  Bytes32 seed{};  ///< not used by a non-interactive proof
  SectorIdentity sector{};
};

/// The statement that the claim makes, its replica id derived. kInvalidInput for commitments that
/// are no field elements or zero.
[[nodiscard]] Result<filecoin::PorepStatement> statement_of(const PorepClaim& claim);

}  // namespace belfry::engine
