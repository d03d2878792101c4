#include "belfry/engine/jobs/proof_job.h"

#include <string>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/jobs/partition_proofs.h"
#include "belfry/engine/metrics.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/node.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kProofStage = "engine.proof";

using groth16::ProofRandomness;

Result<void> check_randomness(const std::vector<ProofRandomness>& randomness,
                              std::uint32_t partitions) {
  if (randomness.empty() || randomness.size() >= partitions) return {};
  return fail(invalid(std::string(kProofStage), "too few entries of test randomness")
                  .but(std::to_string(partitions), std::to_string(randomness.size())));
}

void report(const VerifiedProof& proof, const filecoin::Circuit& circuit,
            const JobOptions& options) {
  trace::count(options.tracer, kProofs, 1, circuit.name());
  trace::write_log(options.tracer, "engine", trace::Level::kInfo, "proof verified",
                   {{"circuit", circuit.name()},
                    {"partitions", proof.partitions},
                    {"backend", proof.backend},
                    {"device", proof.device},
                    {"seconds", proof.seconds.total}});
  warn_of_keys(circuit, proof.origin, options);
}

/// Opens what a proof is made with, and proves. What proving alone needs is let go.
Result<VerifiedProof> prove_job(const ProofJob& job,
                                const std::vector<ProofRandomness>& test_randomness,
                                const JobOptions& options) {
  BELFRY_CHECK(check_randomness(test_randomness, job.partitions));
  BELFRY_TRY(auto backend, choose_backend(options.backend, options.executor, options.tracer,
                                          options.vram_budget_bytes, options.cache_dir));
  BELFRY_TRY(const groth16::Parameters parameters, open_parameters(job.circuit, options));
  BELFRY_TRY(const r1cs::Shape shape, load_shape(job.circuit, options));
  BELFRY_CHECK(groth16::check_counts(parameters, shape));
  KeyOrigin origin = key_origin(
      job.circuit, groth16::file_digest(groth16::encode(parameters.verifying_key())), options);
  BELFRY_TRY(
      VerifiedProof result,
      prove_partitions(std::move(backend), {job, parameters, shape, test_randomness}, options));
  result.origin = std::move(origin);
  return result;
}

}  // namespace

Result<VerifiedProof> run_proof_job(const ProofJob& job,
                                    const std::vector<ProofRandomness>& test_randomness,
                                    const JobOptions& options) {
  trace::Span total(options.tracer, "engine.proof");
  BELFRY_TRY(VerifiedProof result, prove_job(job, test_randomness, options));
  if (job.finish) BELFRY_CHECK(job.finish(result));
  result.seconds.total = total.stop();
  result.peak_memory_bytes = memory_use().peak_resident_bytes;
  report(result, job.circuit, options);
  return result;
}

Result<bool> verify_proof(const filecoin::Circuit& circuit, ByteSpan proof,
                          const std::vector<std::vector<Fr>>& public_inputs,
                          const JobOptions& options, std::string_view proof_file) {
  const trace::Span span(options.tracer, "engine.verify");
  BELFRY_TRY(const auto proofs, groth16::parse_proofs(proof, public_inputs.size(), proof_file));
  BELFRY_TRY(const auto key, read_key(circuit, options));
  warn_of_keys(circuit, key_origin(circuit, groth16::file_digest(groth16::encode(key)), options),
               options);
  return groth16::verify_batch(groth16::PreparedVerifyingKey(key), proofs, public_inputs,
                               options.executor);
}

Result<filecoin::Node> as_node(const Bytes32& bytes, std::string_view stage,
                               std::string_view name) {
  return filecoin::parse_node(bytes, [&](const char* message) {
    return invalid(std::string(stage), message).in_section(std::string(name));
  });
}

Error in_claims(Error error, std::string_view sector, std::string_view file_name) {
  const bool about_claims = error.code == ErrorCode::kInvalidInput &&
                            std::string_view(error.stage).starts_with("filecoin.");
  if (!about_claims) return error;
  if (error.file.empty()) error.file = file_name;
  error.section = std::string(sector) + (error.section.empty() ? "" : ", ") + error.section;
  return error;
}

}  // namespace belfry::engine
