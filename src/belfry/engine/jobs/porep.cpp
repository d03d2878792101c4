#include "belfry/engine/jobs/porep.h"

#include <string>
#include <string_view>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/native/ids.h"
#include "belfry/filecoin/porep/job.h"
#include "belfry/filecoin/porep/public_inputs.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kPorepStage = "engine.porep";

using groth16::ProofRandomness;

filecoin::Circuit circuit_of(const filecoin::PorepConfig& config) {
  return {filecoin::CircuitKind::kPorep, config.sector};
}

Result<void> check_kind(const filecoin::PorepConfig& config) {
  if (config.feature != filecoin::PorepFeature::kNonInteractive) return {};
  return fail(invalid(std::string(kPorepStage),
                      "non-interactive PoRep needs aggregation, which this "
                      "version does not have"));
}

}  // namespace

Result<VerifiedProof> prove_porep(const filecoin::C1Output& c1,
                                  const std::vector<ProofRandomness>& test_randomness,
                                  const JobOptions& options) {
  BELFRY_CHECK(check_kind(c1.config));
  const ProofJob job{
      .circuit = circuit_of(c1.config),
      .partitions = c1.config.partitions(),
      .prepare = [&c1, &options](const r1cs::WitnessLayout& layout, std::uint32_t partition) {
        return filecoin::prepare_partition(layout, c1, partition, options.executor);
      }};
  return run_proof_job(job, test_randomness, options);
}

namespace {

/// The wrapper may name its sector, and must then name this one.
Result<void> check_wrapper(const filecoin::C1Output& c1, const SectorIdentity& sector,
                           std::string_view file_name) {
  const std::uint64_t number = c1.wrapper_sector_number.value_or(sector.sector);
  if (number == sector.sector) return {};
  return fail(invalid("engine.porep.parse", "the wrapper is of another sector")
                  .in_file(std::string(file_name))
                  .in_section("SectorNum")
                  .but(std::to_string(sector.sector), std::to_string(number)));
}

}  // namespace

Result<VerifiedProof> prove_porep(ByteSpan c1_json, std::string_view file_name,
                                  const SectorIdentity& sector,
                                  const std::vector<ProofRandomness>& test_randomness,
                                  const JobOptions& options) {
  trace::Span parse(options.tracer, "engine.porep.parse");
  BELFRY_TRY(const filecoin::C1Output c1, filecoin::parse_c1(c1_json, file_name));
  BELFRY_CHECK(check_wrapper(c1, sector, file_name));
  const filecoin::Node expected =
      filecoin::replica_id({.prover_id = filecoin::prover_id(sector.miner),
                            .sector_number = sector.sector,
                            .ticket = c1.ticket,
                            .comm_d = c1.comm_d,
                            .porep_id = c1.config.porep_id});
  if (!(expected == c1.replica_id)) {
    return fail(invalid("engine.porep.parse", "the C1 output is of another miner or sector")
                    .in_file(std::string(file_name))
                    .in_section("replica_id")
                    .but(to_hex(expected.bytes()), to_hex(c1.replica_id.bytes())));
  }
  const double parse_seconds = parse.stop();
  BELFRY_TRY(VerifiedProof result, prove_porep(c1, test_randomness, options));
  result.add_parse_seconds(parse_seconds);
  return result;
}

namespace {

Result<std::vector<std::vector<Fr>>> claimed_inputs(const PorepClaim& claim) {
  const filecoin::PorepConfig config = claim.type.config();
  BELFRY_TRY(const filecoin::Node comm_d, as_node(claim.comm_d, "engine.porep.verify", "comm_d"));
  BELFRY_TRY(const filecoin::Node comm_r, as_node(claim.comm_r, "engine.porep.verify", "comm_r"));
  const filecoin::PorepStatement statement{
      .replica_id = filecoin::replica_id({.prover_id = filecoin::prover_id(claim.sector.miner),
                                          .sector_number = claim.sector.sector,
                                          .ticket = claim.ticket,
                                          .comm_d = comm_d,
                                          .porep_id = config.porep_id}),
      .comm_d = comm_d,
      .comm_r = comm_r,
      .seed = claim.seed};
  std::vector<std::vector<Fr>> inputs;
  for (std::uint32_t k = 0; k < config.partitions(); ++k) {
    BELFRY_TRY(auto partition, filecoin::porep_public_inputs(config, statement, k));
    inputs.push_back(std::move(partition));
  }
  return inputs;
}

}  // namespace

Result<bool> verify_porep(ByteSpan proof, const PorepClaim& claim, const JobOptions& options) {
  BELFRY_CHECK(check_kind(claim.type.config()));
  BELFRY_TRY(const auto inputs, claimed_inputs(claim));
  return verify_proof(circuit_of(claim.type.config()), proof, inputs, options);
}

}  // namespace belfry::engine
