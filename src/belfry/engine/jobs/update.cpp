#include "belfry/engine/jobs/update.h"

#include <string>

#include "belfry/filecoin/formats/vanilla_update.h"
#include "belfry/filecoin/update/job.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kUpdateStage = "engine.update";

filecoin::Circuit circuit_of(const filecoin::SectorParams& sector) {
  return {filecoin::CircuitKind::kUpdate, &sector};
}

Result<filecoin::UpdateStatement> statement_of(const UpdateClaim& claim) {
  filecoin::UpdateStatement statement;
  BELFRY_TRY(statement.comm_r_old, as_node(claim.comm_r_old, kUpdateStage, "comm_r_old"));
  BELFRY_TRY(statement.comm_r_new, as_node(claim.comm_r_new, kUpdateStage, "comm_r_new"));
  BELFRY_TRY(statement.comm_d_new, as_node(claim.comm_d_new, kUpdateStage, "comm_d_new"));
  return statement;
}

/// The sector as errors name it: a request about an update knows no number, and comm_r is as
/// unique.
std::string name_of(const filecoin::Node& comm_r_old) {
  return "sector with comm_r_old " + to_hex(comm_r_old.bytes());
}

/// Every claim, so that a contradiction in the last partition costs no witness of the first.
/// `files` names where partitions come from, or is empty.
Result<double> check_claims(const filecoin::VanillaUpdate& update,
                            std::span<const VanillaFileView> files, const JobOptions& options) {
  trace::Span span(options.tracer, "engine.update.check");
  const std::string sector = name_of(update.statement.comm_r_old);
  const auto checked_request = filecoin::check_update_request(update);
  if (!checked_request) return fail(in_claims(checked_request.error(), sector, {}));
  for (std::uint32_t k = 0; k < update.partitions.size(); ++k) {
    BELFRY_CHECK(options.cancel.check(std::string(kUpdateStage)));
    auto good = filecoin::check_vanilla_update(update, k, options.executor);
    if (good) continue;
    return fail(in_claims(std::move(good.error()), sector,
                          files.empty() ? std::string_view{} : files[k].name));
  }
  return span.stop();
}

Result<VerifiedProof> prove(const filecoin::VanillaUpdate& update,
                            std::span<const VanillaFileView> files,
                            const std::vector<groth16::ProofRandomness>& test_randomness,
                            const JobOptions& options) {
  BELFRY_TRY(const double check_seconds, check_claims(update, files, options));
  const ProofJob job{
      .circuit = circuit_of(*update.sector),
      .partitions = update.sector->update_partitions,
      .prepare =
          [&update, &options](const r1cs::WitnessLayout& layout, std::uint32_t partition) {
            return filecoin::prepare_checked_update_partition(layout, update, partition,
                                                              options.executor);
          },
      .claims_checked = true};
  BELFRY_TRY(VerifiedProof result, run_proof_job(job, test_randomness, options));
  result.seconds.witness += check_seconds;
  result.seconds.total += check_seconds;
  return result;
}

/// A count that is wrong is told before anything is read.
Result<void> check_count(std::size_t files, const filecoin::UpdateProof& type) {
  const std::uint32_t partitions = type.sector->update_partitions;
  if (files == partitions) return {};
  return fail(invalid(std::string(kUpdateStage), "wrong number of vanilla proofs: one a partition")
                  .in_section(type.name())
                  .but(std::to_string(partitions), std::to_string(files)));
}

Result<filecoin::VanillaUpdate> parse(std::span<const VanillaFileView> vanilla,
                                      const UpdateClaim& claim) {
  BELFRY_CHECK(check_count(vanilla.size(), claim.type));
  filecoin::VanillaUpdate update{.sector = claim.type.sector, .statement = {}, .partitions = {}};
  BELFRY_TRY(update.statement, statement_of(claim));
  for (std::size_t k = 0; k < vanilla.size(); ++k) {
    const auto of_partition = [&](Error error) {
      const std::string partition = "vanilla_proofs[" + std::to_string(k) + "]";
      error.section = partition + (error.section.empty() ? "" : ".") + error.section;
      return in_claims(std::move(error), name_of(update.statement.comm_r_old), vanilla[k].name);
    };
    BELFRY_TRY(update.partitions.emplace_back(),
               filecoin::parse_vanilla_update(vanilla[k].bytes, *claim.type.sector, vanilla[k].name)
                   .map_error(of_partition));
  }
  return update;
}

}  // namespace

Result<VerifiedProof> prove_update(const filecoin::VanillaUpdate& update,
                                   const std::vector<groth16::ProofRandomness>& test_randomness,
                                   const JobOptions& options) {
  return prove(update, {}, test_randomness, options);
}

Result<VerifiedProof> prove_update(std::span<const VanillaFileView> vanilla,
                                   const UpdateClaim& claim,
                                   const std::vector<groth16::ProofRandomness>& test_randomness,
                                   const JobOptions& options) {
  trace::Span span(options.tracer, "engine.update.parse");
  BELFRY_TRY(const filecoin::VanillaUpdate update, parse(vanilla, claim));
  const double parse_seconds = span.stop();
  BELFRY_TRY(VerifiedProof result, prove(update, vanilla, test_randomness, options));
  result.add_parse_seconds(parse_seconds);
  return result;
}

Result<bool> verify_update(ByteSpan proof, const UpdateClaim& claim, const JobOptions& options,
                           std::string_view proof_file) {
  BELFRY_TRY(const filecoin::UpdateStatement statement, statement_of(claim));
  const filecoin::UpdateParams params = filecoin::update_params(*claim.type.sector);
  std::vector<std::vector<Fr>> inputs;
  for (std::uint32_t k = 0; k < params.partitions; ++k) {
    BELFRY_TRY(inputs.emplace_back(), filecoin::update_public_inputs(params, statement, k));
  }
  return verify_proof(circuit_of(*claim.type.sector), proof, inputs, options, proof_file);
}

}  // namespace belfry::engine
