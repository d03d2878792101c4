#include "belfry/engine/jobs/porep.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/engine/jobs/aggregate.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/native/ids.h"
#include "belfry/filecoin/porep/aggregation.h"
#include "belfry/filecoin/porep/job.h"
#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/filecoin/porep/vanilla_check.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kPorepStage = "engine.porep";

using groth16::ProofRandomness;

bool is_non_interactive(const filecoin::PorepConfig& config) {
  return config.feature == filecoin::PorepFeature::kNonInteractive;
}

/// Puts the aggregate in the place of the proofs that it is made of.
Result<void> aggregate_partitions(const filecoin::C1Output& c1, const OpenedSrs& srs,
                                  VerifiedProof& proved, const JobOptions& options) {
  const ProvedSectorView sector{filecoin::porep_statement(c1), proved.proof, kPorepStage};
  BELFRY_TRY(
      AggregatedProof aggregated,
      aggregate_porep(c1.config, filecoin::kNonInteractiveAggregation, {&sector, 1}, srs, options));
  proved.partition_proofs = std::exchange(proved.proof, std::move(aggregated.proof));
  proved.origin.test_srs = aggregated.origin.test_srs;
  proved.seconds.aggregate = aggregated.seconds;
  return {};
}

/// Every claim, so that a contradiction in the last partition costs neither parameters nor a
/// witness. The seconds that it took.
Result<double> check_claims(const filecoin::C1Output& c1, const JobOptions& options) {
  trace::Span span(options.tracer, "engine.porep.check");
  span.expect(c1.config.partitions(), "partitions");
  for (std::uint32_t k = 0; k < c1.config.partitions(); ++k) {
    BELFRY_CHECK(options.cancel.check("engine.porep.check"));
    BELFRY_CHECK(filecoin::check_vanilla_partition(c1, k, options.executor));
    span.advance(1);
  }
  return span.stop();
}

}  // namespace

Result<VerifiedProof> prove_porep(const filecoin::C1Output& c1,
                                  const std::vector<ProofRandomness>& test_randomness,
                                  const JobOptions& options, const PartitionProofSink& keep) {
  BELFRY_TRY(const double check_seconds, check_claims(c1, options));
  std::optional<OpenedSrs> srs;
  if (is_non_interactive(c1.config)) {
    BELFRY_TRY(srs, read_srs(c1.config.partitions(), options));
  }
  const ProofJob job{
      .circuit = filecoin::circuit_of(c1.config),
      .partitions = c1.config.partitions(),
      .prepare =
          [&c1, &options](const r1cs::WitnessLayout& layout, std::uint32_t partition) {
            return filecoin::prepare_checked_partition(layout, c1, partition, options.executor);
          },
      .claims_checked = true,
      .finish = [&](VerifiedProof& proved) -> Result<void> {
        if (keep) BELFRY_CHECK(keep(proved.proof));
        return srs ? aggregate_partitions(c1, *srs, proved, options) : Result<void>();
      }};
  BELFRY_TRY(VerifiedProof result, run_proof_job(job, test_randomness, options));
  result.seconds.witness += check_seconds;
  result.seconds.total += check_seconds;
  return result;
}

namespace {

/// The sector as errors name it.
std::string name_of(const SectorIdentity& sector) {
  return "sector " + std::to_string(sector.sector);
}

/// The registered proof as a hint names it.
std::string registered_words(const filecoin::C1Output& c1) {
  return c1.registered ? " and registered_proof " + c1.registered->name() : std::string();
}

/// The wrapper may name its sector, and must then name this one.
Result<void> check_wrapper(const filecoin::C1Output& c1, const SectorIdentity& sector,
                           std::string_view file_name) {
  if (!c1.wrapper_sector || c1.wrapper_sector->value == sector.sector) return {};
  return fail(invalid("engine.porep.parse", "the wrapper is of another sector")
                  .in_file(std::string(file_name))
                  .in_section(name_of(sector) + ", SectorNum")
                  .at(c1.wrapper_sector->offset)
                  .but(std::to_string(sector.sector), std::to_string(c1.wrapper_sector->value)));
}

/// The replica id is that of the miner, the sector, the registered proof (whose number and api
/// version stand in the porep id), and the ticket and comm_d of the C1 output.
Result<void> check_replica_id(const filecoin::C1Output& c1, const SectorIdentity& sector,
                              std::string_view file_name) {
  const auto id_of = [&](const filecoin::Node& comm_d) {
    return filecoin::replica_id({.prover_id = filecoin::prover_id(sector.miner),
                                 .sector_number = sector.sector,
                                 .ticket = c1.ticket,
                                 .comm_d = comm_d,
                                 .porep_id = c1.config.porep_id});
  };
  const filecoin::Node expected = id_of(c1.comm_d);
  if (expected == c1.replica_id) return {};
  Error error =
      invalid("engine.porep.parse", "the C1 output is of another miner, sector or registered proof")
          .in_file(std::string(file_name))
          .in_section(name_of(sector) + ", replica_id")
          .at(c1.replica_id_offset)
          .but(to_hex(expected.bytes()), to_hex(c1.replica_id.bytes()));
  if (id_of(c1.comm_r) == c1.replica_id) {
    return fail(std::move(error).with_hint("comm_r and comm_d stand in each other's place"));
  }
  return fail(std::move(error).with_hint("Compare miner " + std::to_string(sector.miner) +
                                         ", sector " + std::to_string(sector.sector) +
                                         registered_words(c1) + " with the record of the seal"));
}

}  // namespace

Result<VerifiedProof> prove_porep(ByteSpan c1_json, std::string_view file_name,
                                  const SectorIdentity& sector,
                                  const std::vector<ProofRandomness>& test_randomness,
                                  const JobOptions& options, const PartitionProofSink& keep) {
  trace::Span parse(options.tracer, "engine.porep.parse");
  const auto of_sector = [&](Error error) {
    return in_claims(std::move(error), name_of(sector), file_name);
  };
  BELFRY_TRY(const filecoin::C1Output c1,
             filecoin::parse_c1(c1_json, file_name).map_error(of_sector));
  BELFRY_CHECK(check_wrapper(c1, sector, file_name));
  BELFRY_CHECK(check_replica_id(c1, sector, file_name));
  const double parse_seconds = parse.stop();
  BELFRY_TRY(VerifiedProof result,
             prove_porep(c1, test_randomness, options, keep).map_error(of_sector));
  result.add_parse_seconds(parse_seconds);
  return result;
}

Result<bool> verify_porep(ByteSpan proof, const PorepClaim& claim, const JobOptions& options,
                          std::string_view proof_file) {
  const filecoin::PorepConfig config = claim.type.config();
  if (is_non_interactive(config)) {
    return verify_aggregate(proof, filecoin::kNonInteractiveAggregation, {&claim, 1}, options,
                            proof_file);
  }
  BELFRY_TRY(const filecoin::PorepStatement statement, statement_of(claim));
  BELFRY_TRY(const auto inputs, filecoin::sector_public_inputs(config, {&statement, 1}));
  return verify_proof(filecoin::circuit_of(config), proof, inputs, options, proof_file);
}

}  // namespace belfry::engine
