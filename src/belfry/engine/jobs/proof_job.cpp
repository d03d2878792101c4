#include "belfry/engine/jobs/proof_job.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "belfry/base/memory.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/checked_proofs.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/metrics.h"
#include "belfry/engine/prove_budget.h"
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

/// Partitions [first, first + count).
struct PartitionRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The witnesses and public inputs of a range of partitions, in order.
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

Result<Prepared> prepare(const ProofJob& job, const PartitionRange& range,
                         const r1cs::WitnessLayout& layout, const JobOptions& options) {
  trace::Span span(options.tracer, "engine.proof.witness");
  span.expect(range.count, "partitions");
  Prepared prepared;
  for (std::uint32_t k = range.first; k < range.first + range.count; ++k) {
    BELFRY_CHECK(options.cancel.check("engine.proof.witness"));
    BELFRY_TRY(auto partition, job.prepare(layout, k));
    prepared.witnesses.push_back(std::move(partition.witness));
    prepared.public_inputs.push_back(std::move(partition.public_inputs));
    span.advance(1);
  }
  prepared.seconds = span.stop();
  return prepared;
}

/// Prepares every partition and lets it go: finds what is wrong with the last one before the first
/// is proved. The seconds that it took.
Result<double> prepare_for_nothing(const ProofJob& job, const r1cs::WitnessLayout& layout,
                                   const JobOptions& options) {
  double seconds = 0;
  for (std::uint32_t k = 0; k < job.partitions; ++k) {
    BELFRY_TRY(const Prepared prepared, prepare(job, {k, 1}, layout, options));
    seconds += prepared.seconds;
  }
  return seconds;
}

/// What all batches of a proof are made with. A view.
struct ProvingView {
  const ProofJob& job;
  const groth16::Backend& backend;
  const groth16::Parameters& parameters;
  const r1cs::Shape& shape;
  std::span<const ProofRandomness> randomness;
  std::uint64_t backend_bytes;
  const JobOptions& options;
};

/// Prepares, proves and verifies one batch, and appends its proofs to the result.
Result<void> prove_range(const ProvingView& with, const PartitionRange& range,
                         VerifiedProof& result) {
  const JobOptions& options = with.options;
  BELFRY_TRY(const Prepared prepared, prepare(with.job, range, with.shape.layout(), options));
  result.seconds.witness += prepared.seconds;

  const groth16::ProveBatchView batch{.parameters = with.parameters,
                                      .shape = with.shape,
                                      .witnesses = prepared.witnesses,
                                      .tracer = options.tracer,
                                      .cancel = options.cancel};
  const auto randomness =
      with.randomness.empty() ? with.randomness : with.randomness.subspan(range.first, range.count);
  BELFRY_TRY(const auto made,
             make_checked_proofs({with.backend, batch, randomness, prepared.public_inputs,
                                  range.first, with.backend_bytes},
                                 options));
  result.seconds.prove += made.prove_seconds;
  result.seconds.verify += made.verify_seconds;
  const std::vector<std::uint8_t> bytes = groth16::encode(made.proofs);
  result.proof.insert(result.proof.end(), bytes.begin(), bytes.end());
  return {};
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
  warn_of_test_keys(circuit, {proof.test_parameters, proof.test_srs}, options);
}

/// Proves all partitions and verifies them. What proving alone needs is let go.
Result<VerifiedProof> prove_partitions(const ProofJob& job,
                                       const std::vector<ProofRandomness>& test_randomness,
                                       const JobOptions& options) {
  BELFRY_CHECK(check_randomness(test_randomness, job.partitions));
  BELFRY_TRY(const auto backend, choose_backend(options.backend, options.executor, options.tracer,
                                                options.vram_budget_bytes, options.cache_dir));
  BELFRY_TRY(const groth16::Parameters parameters, open_parameters(job.circuit, options));
  BELFRY_TRY(const r1cs::Shape shape, load_shape(job.circuit, options));
  BELFRY_CHECK(groth16::check_counts(parameters, shape));
  BELFRY_TRY(const ProveBudget budget,
             prove_budget(*backend, shape, job.partitions, options, &parameters));

  VerifiedProof result{.partitions = job.partitions,
                       .backend = std::string(backend->name()),
                       .device = backend->device(),
                       .test_randomness = !test_randomness.empty(),
                       .test_parameters = groth16::is_marked_for_tests(parameters.path())};
  if (budget.partitions < job.partitions) {
    BELFRY_TRY(result.seconds.witness, prepare_for_nothing(job, shape.layout(), options));
  }
  const ProvingView with{job,    *backend, parameters, shape, test_randomness, budget.backend_bytes,
                         options};
  const auto most = static_cast<std::uint32_t>(budget.partitions);
  for (std::uint32_t first = 0; first < job.partitions; first += most) {
    BELFRY_CHECK(prove_range(with, {first, std::min(most, job.partitions - first)}, result));
  }
  return result;
}

}  // namespace

Result<VerifiedProof> run_proof_job(const ProofJob& job,
                                    const std::vector<ProofRandomness>& test_randomness,
                                    const JobOptions& options) {
  trace::Span total(options.tracer, "engine.proof");
  BELFRY_TRY(VerifiedProof result, prove_partitions(job, test_randomness, options));
  if (job.finish) BELFRY_CHECK(job.finish(result));
  result.seconds.total = total.stop();
  result.peak_memory_bytes = memory_use().peak_resident_bytes;
  report(result, job.circuit, options);
  return result;
}

void warn_of_test_keys(const filecoin::Circuit& circuit, const KeyOrigin& origin,
                       const JobOptions& options) {
  const auto warn = [&](std::string_view message) {
    trace::write_log(options.tracer, "engine", trace::Level::kWarning, message,
                     {{"circuit", circuit.name()}});
  };
  if (origin.test_parameters) {
    warn("these parameters are for tests: anyone who knows their trapdoor forges proofs");
  }
  if (origin.test_srs) {
    warn("this is not the published SRS: anyone who knows its secrets forges aggregates");
  }
}

Result<bool> verify_proof(const filecoin::Circuit& circuit, ByteSpan proof,
                          const std::vector<std::vector<Fr>>& public_inputs,
                          const JobOptions& options, std::string_view proof_file) {
  const trace::Span span(options.tracer, "engine.verify");
  BELFRY_TRY(const auto proofs, groth16::parse_proofs(proof, public_inputs.size(), proof_file));
  BELFRY_TRY(const auto key, read_key(circuit, options));
  return groth16::verify_batch(groth16::PreparedVerifyingKey(key), proofs, public_inputs,
                               options.executor);
}

Result<filecoin::Node> as_node(const Bytes32& bytes, std::string_view stage,
                               std::string_view name) {
  return filecoin::parse_node(bytes, [&](const char* message) {
    return invalid(std::string(stage), message).in_section(std::string(name));
  });
}

Error in_claims_file(Error error, std::string_view file_name) {
  const bool about_claims = error.code == ErrorCode::kInvalidInput && error.file.empty() &&
                            std::string_view(error.stage).starts_with("filecoin.");
  return about_claims ? std::move(error).in_file(std::string(file_name)) : std::move(error);
}

}  // namespace belfry::engine
