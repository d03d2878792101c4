#include "belfry/engine/jobs/proof_job.h"

#include <span>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/metrics.h"
#include "belfry/engine/prove_budget.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kProofStage = "engine.proof";

using groth16::ProofRandomness;

/// The witnesses and public inputs of all partitions, in order.
struct Prepared {
  std::vector<r1cs::PackedWitness> witnesses;
  std::vector<std::vector<Fr>> public_inputs;
  double seconds = 0;
};

Result<void> check_randomness(const std::vector<ProofRandomness>& randomness,
                              std::uint32_t partitions) {
  if (randomness.empty() || randomness.size() >= partitions) return {};
  return fail(invalid(std::string(kProofStage), "too few entries of test randomness")
                  .but(std::to_string(partitions), std::to_string(randomness.size())));
}

Result<Prepared> prepare(const ProofJob& job, const r1cs::WitnessLayout& layout,
                         const JobOptions& options) {
  trace::Span span(options.tracer, "engine.proof.witness");
  span.expect(job.partitions, "partitions");
  Prepared prepared;
  for (std::uint32_t k = 0; k < job.partitions; ++k) {
    BELFRY_CHECK(options.cancel.check("engine.proof.witness"));
    BELFRY_TRY(auto partition, job.prepare(layout, k));
    prepared.witnesses.push_back(std::move(partition.witness));
    prepared.public_inputs.push_back(std::move(partition.public_inputs));
    span.advance(1);
  }
  prepared.seconds = span.stop();
  return prepared;
}

Result<std::vector<groth16::Proof>> make_proofs(const groth16::Backend& backend,
                                                const groth16::ProveBatchView& batch,
                                                const std::vector<ProofRandomness>& randomness,
                                                std::uint64_t budget_bytes) {
  BELFRY_TRY(const auto pending, groth16::start(backend, batch, budget_bytes));
  if (randomness.empty()) return groth16::finish(pending);
  return groth16::finish(pending, std::span(randomness).first(pending.partitions()));
}

/// Names the partitions of a batch whose proofs do not verify.
Result<std::string> bad_partitions(const groth16::PreparedVerifyingKey& key,
                                   const std::vector<groth16::Proof>& proofs,
                                   const std::vector<std::vector<Fr>>& public_inputs,
                                   const groth16::Backend& backend, const JobOptions& options) {
  std::string names;
  for (std::size_t k = 0; k < proofs.size(); ++k) {
    BELFRY_TRY(const bool good,
               groth16::verify(key, proofs[k], public_inputs[k], options.executor));
    if (good) continue;
    names += (names.empty() ? "" : ", ") + std::to_string(k);
    trace::count(options.tracer, kSelfCheckFailures, 1, backend.name());
  }
  return names;
}

/// Every proof is verified on the CPU before it leaves, whoever computed it.
Result<void> self_check(const groth16::Parameters& parameters,
                        const std::vector<groth16::Proof>& proofs,
                        const std::vector<std::vector<Fr>>& public_inputs,
                        const groth16::Backend& backend, const JobOptions& options) {
  const groth16::PreparedVerifyingKey key(parameters.verifying_key());
  BELFRY_TRY(const bool good, groth16::verify_batch(key, proofs, public_inputs, options.executor));
  if (good) return {};
  BELFRY_TRY(const std::string names, bad_partitions(key, proofs, public_inputs, backend, options));
  return fail(Error{ErrorCode::kBackendFailed, "engine.proof.verify",
                    "self-check failed: the proof does not verify and is withheld"}
                  .in_file(parameters.path().string())
                  .in_section("partitions " + names)
                  .with_hint("Check the parameter file with belfry params check, then the memory "
                             "of this machine"));
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
  if (!proof.test_parameters) return;
  trace::write_log(options.tracer, "engine", trace::Level::kWarning,
                   "these parameters are for tests: anyone who knows their trapdoor forges proofs",
                   {{"circuit", circuit.name()}});
}

}  // namespace

Result<VerifiedProof> run_proof_job(const ProofJob& job,
                                    const std::vector<ProofRandomness>& test_randomness,
                                    const JobOptions& options) {
  trace::Span total(options.tracer, "engine.proof");
  BELFRY_CHECK(check_randomness(test_randomness, job.partitions));
  BELFRY_TRY(const auto backend, choose_backend(options.backend, options.executor, options.tracer,
                                                options.vram_budget_bytes));
  BELFRY_TRY(const groth16::Parameters parameters, open_parameters(job.circuit, options));
  BELFRY_TRY(const r1cs::Shape shape, load_shape(job.circuit, options));
  BELFRY_CHECK(groth16::check_counts(parameters, shape));
  BELFRY_TRY(const std::uint64_t budget, prove_budget(*backend, shape, job.partitions, options));

  VerifiedProof result{.partitions = job.partitions,
                       .backend = std::string(backend->name()),
                       .device = backend->device(),
                       .test_randomness = !test_randomness.empty(),
                       .test_parameters = groth16::is_marked_for_tests(parameters.path())};
  BELFRY_TRY(const Prepared prepared, prepare(job, shape.layout(), options));
  result.seconds.witness = prepared.seconds;

  trace::Span prove(options.tracer, "engine.proof.prove");
  const groth16::ProveBatchView batch{.parameters = parameters,
                                      .shape = shape,
                                      .witnesses = prepared.witnesses,
                                      .tracer = options.tracer,
                                      .cancel = options.cancel};
  BELFRY_TRY(const auto proofs, make_proofs(*backend, batch, test_randomness, budget));
  result.seconds.prove = prove.stop();

  trace::Span verify(options.tracer, "engine.proof.verify");
  BELFRY_CHECK(self_check(parameters, proofs, prepared.public_inputs, *backend, options));
  result.seconds.verify = verify.stop();
  result.proof = groth16::encode(proofs);
  result.seconds.total = total.stop();
  result.peak_memory_bytes = memory_use().peak_resident_bytes;
  report(result, job.circuit, options);
  return result;
}

Result<bool> verify_proof(const filecoin::Circuit& circuit, ByteSpan proof,
                          const std::vector<std::vector<Fr>>& public_inputs,
                          const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.verify");
  BELFRY_TRY(const auto proofs, groth16::parse_proofs(proof, public_inputs.size()));
  BELFRY_TRY(const auto key, read_key(circuit, options));
  return groth16::verify_batch(groth16::PreparedVerifyingKey(key), proofs, public_inputs,
                               options.executor);
}

Result<filecoin::Node> as_node(const Bytes32& bytes, std::string_view stage,
                               std::string_view name) {
  const auto node = FrBytes::parse(bytes);
  if (node) return *node;
  return fail(invalid(std::string(stage), "not a field element: at least the modulus")
                  .in_section(std::string(name))
                  .but("32 canonical bytes", to_hex(bytes)));
}

}  // namespace belfry::engine
