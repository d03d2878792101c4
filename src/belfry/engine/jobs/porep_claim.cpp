#include "belfry/engine/jobs/porep_claim.h"

#include <string_view>

#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/native/ids.h"

namespace belfry::engine {
namespace {

Result<filecoin::Node> as_commitment(const Bytes32& bytes, std::string_view name) {
  constexpr std::string_view kClaimStage = "engine.porep.verify";
  if (bytes != Bytes32{}) return as_node(bytes, kClaimStage, name);
  return fail(invalid(std::string(kClaimStage), "a commitment is all zeros")
                  .in_section(std::string(name))
                  .but("a commitment", to_hex(bytes)));
}

}  // namespace

Result<filecoin::PorepStatement> statement_of(const PorepClaim& claim) {
  BELFRY_TRY(const filecoin::Node comm_d, as_commitment(claim.comm_d, "comm_d"));
  BELFRY_TRY(const filecoin::Node comm_r, as_commitment(claim.comm_r, "comm_r"));
  return filecoin::PorepStatement{
      .replica_id = filecoin::replica_id({.prover_id = filecoin::prover_id(claim.sector.miner),
                                          .sector_number = claim.sector.sector,
                                          .ticket = claim.ticket,
                                          .comm_d = comm_d,
                                          .porep_id = claim.type.config().porep_id}),
      .comm_d = comm_d,
      .comm_r = comm_r,
      .seed = claim.seed};
}

}  // namespace belfry::engine
