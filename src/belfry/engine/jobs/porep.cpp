#include "belfry/engine/jobs/porep.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/memory.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/metrics.h"
#include "belfry/engine/prove_budget.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/native/ids.h"
#include "belfry/filecoin/porep/job.h"
#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kStage = "engine.porep";

using groth16::ProofRandomness;

filecoin::Circuit circuit_of(const filecoin::PorepConfig& config) {
  return {filecoin::CircuitKind::kPorep, config.sector};
}

/// The witnesses and public inputs of all partitions, in order.
struct Prepared {
  std::vector<r1cs::PackedWitness> witnesses;
  std::vector<std::vector<Fr>> public_inputs;
  double seconds = 0;
};

Result<void> check_kind(const filecoin::PorepConfig& config) {
  if (config.feature != filecoin::PorepFeature::kNonInteractive) return {};
  return fail(invalid(std::string(kStage),
                      "non-interactive PoRep needs aggregation, which this "
                      "version does not have"));
}

Result<void> check_randomness(const std::vector<ProofRandomness>& randomness,
                              std::uint32_t partitions) {
  if (randomness.empty() || randomness.size() >= partitions) return {};
  return fail(invalid(std::string(kStage), "too few entries of test randomness")
                  .but(std::to_string(partitions), std::to_string(randomness.size())));
}

Result<Prepared> prepare(const r1cs::WitnessLayout& layout, const filecoin::C1Output& c1,
                         const JobOptions& options) {
  trace::Span span(options.tracer, "engine.porep.witness");
  const std::uint32_t partitions = c1.config.partitions();
  span.expect(partitions, "partitions");
  Prepared prepared;
  for (std::uint32_t k = 0; k < partitions; ++k) {
    BELFRY_CHECK(options.cancel.check("engine.porep.witness"));
    BELFRY_TRY(auto partition, filecoin::prepare_partition(layout, c1, k, options.executor));
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
  return fail(Error{ErrorCode::kBackendFailed, "engine.porep.verify",
                    "self-check failed: the proof does not verify and is withheld"}
                  .in_file(parameters.path().string())
                  .in_section("partitions " + names)
                  .with_hint("Check the parameter file with belfry params check, then the memory "
                             "of this machine"));
}

void report(const PorepProof& proof, const filecoin::PorepConfig& config,
            const JobOptions& options) {
  const std::string circuit = circuit_of(config).name();
  trace::count(options.tracer, kProofs, 1, circuit);
  trace::write_log(options.tracer, "engine", trace::Level::kInfo, "proof verified",
                   {{"circuit", circuit},
                    {"partitions", proof.partitions},
                    {"backend", proof.backend},
                    {"device", proof.device},
                    {"seconds", proof.seconds.total}});
  if (!proof.test_parameters) return;
  trace::write_log(options.tracer, "engine", trace::Level::kWarning,
                   "these parameters are for tests: anyone who knows their trapdoor forges proofs",
                   {{"circuit", circuit}});
}

}  // namespace

Result<PorepProof> prove_porep(const filecoin::C1Output& c1,
                               const std::vector<ProofRandomness>& test_randomness,
                               const JobOptions& options) {
  trace::Span total(options.tracer, "engine.porep");
  BELFRY_CHECK(check_kind(c1.config));
  BELFRY_CHECK(check_randomness(test_randomness, c1.config.partitions()));
  const filecoin::Circuit circuit = circuit_of(c1.config);
  BELFRY_TRY(const auto backend, choose_backend(options.backend, options.executor, options.tracer));
  BELFRY_TRY(const groth16::Parameters parameters, open_parameters(circuit, options));
  BELFRY_TRY(const r1cs::Shape shape, load_shape(circuit, options));
  BELFRY_CHECK(groth16::check_counts(parameters, shape));
  BELFRY_TRY(const std::uint64_t budget,
             prove_budget(*backend, shape, c1.config.partitions(), options));

  PorepProof result{.partitions = c1.config.partitions(),
                    .backend = std::string(backend->name()),
                    .device = backend->device(),
                    .test_randomness = !test_randomness.empty(),
                    .test_parameters = groth16::is_marked_for_tests(parameters.path())};
  BELFRY_TRY(const Prepared prepared, prepare(shape.layout(), c1, options));
  result.seconds.witness = prepared.seconds;

  trace::Span prove(options.tracer, "engine.porep.prove");
  const groth16::ProveBatchView batch{.parameters = parameters,
                                      .shape = shape,
                                      .witnesses = prepared.witnesses,
                                      .tracer = options.tracer,
                                      .cancel = options.cancel};
  BELFRY_TRY(const auto proofs, make_proofs(*backend, batch, test_randomness, budget));
  result.seconds.prove = prove.stop();

  trace::Span verify(options.tracer, "engine.porep.verify");
  BELFRY_CHECK(self_check(parameters, proofs, prepared.public_inputs, *backend, options));
  result.seconds.verify = verify.stop();
  result.proof = groth16::encode(proofs);
  result.seconds.total = total.stop();
  result.peak_memory_bytes = memory_use().peak_resident_bytes;
  report(result, c1.config, options);
  return result;
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

Result<PorepProof> prove_porep(ByteSpan c1_json, std::string_view file_name,
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
  BELFRY_TRY(PorepProof result, prove_porep(c1, test_randomness, options));
  result.seconds.parse = parse_seconds;
  result.seconds.total += parse_seconds;
  return result;
}

namespace {

Result<filecoin::Node> as_node(const Bytes32& bytes, std::string_view name) {
  const auto node = FrBytes::parse(bytes);
  if (!node) {
    return fail(invalid("engine.porep.verify", "not a field element: at least the modulus")
                    .in_section(std::string(name))
                    .but("32 canonical bytes", to_hex(bytes)));
  }
  return *node;
}

Result<std::vector<std::vector<Fr>>> claimed_inputs(const PorepClaim& claim) {
  const filecoin::PorepConfig config = claim.type.config();
  BELFRY_TRY(const filecoin::Node comm_d, as_node(claim.comm_d, "comm_d"));
  BELFRY_TRY(const filecoin::Node comm_r, as_node(claim.comm_r, "comm_r"));
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
  const trace::Span span(options.tracer, "engine.porep.verify");
  BELFRY_CHECK(check_kind(claim.type.config()));
  BELFRY_TRY(const auto inputs, claimed_inputs(claim));
  BELFRY_TRY(const auto proofs, groth16::parse_proofs(proof, inputs.size()));
  BELFRY_TRY(const auto key, read_key(circuit_of(claim.type.config()), options));
  return groth16::verify_batch(groth16::PreparedVerifyingKey(key), proofs, inputs,
                               options.executor);
}

}  // namespace belfry::engine
