#include "belfry/engine/jobs/aggregate.h"

#include <optional>
#include <string>
#include <utility>

#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/metrics.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/filecoin/porep/aggregation.h"
#include "belfry/groth16/aggregate/aggregate.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/aggregate/verify_aggregate.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/verify/verify.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kAggregateStage = "engine.aggregate";

using filecoin::AggregationProof;
using filecoin::PorepConfig;
using filecoin::PorepStatement;

groth16::SnarkPackVersion version_of(const AggregationProof& aggregation) {
  return static_cast<groth16::SnarkPackVersion>(aggregation.version());
}

Result<groth16::AggregationSrs> open_srs(const JobOptions& options) {
  auto srs = groth16::AggregationSrs::open(srs_path(options));
  if (srs || srs.error().code != ErrorCode::kNotFound) return srs;
  return fail(std::move(srs.error())
                  .with_hint("Copy the SRS of SnarkPack there, or name its place with --srs"));
}

/// What an aggregate of sectors of one kind says.
struct Statement {
  Bytes32 digest{};
  std::vector<std::vector<Fr>> inputs;  // one list a proof

  [[nodiscard]] groth16::AggregateStatementView view(const AggregationProof& aggregation) const {
    return {.version = version_of(aggregation), .public_inputs = inputs, .bound_to = digest};
  }
};

Result<Statement> make_statement(const PorepConfig& config,
                                 std::span<const PorepStatement> sectors) {
  Statement out{.digest = filecoin::aggregation_digest(config, sectors), .inputs = {}};
  BELFRY_TRY(out.inputs, filecoin::sector_public_inputs(config, sectors));
  return out;
}

Result<std::vector<groth16::Proof>> parse_all(const PorepConfig& config,
                                              std::span<const ProvedSectorView> sectors) {
  std::vector<groth16::Proof> proofs;
  for (const ProvedSectorView& sector : sectors) {
    BELFRY_TRY(const auto parsed,
               groth16::parse_proofs(sector.proofs, config.partitions(), sector.name));
    proofs.insert(proofs.end(), parsed.begin(), parsed.end());
  }
  return proofs;
}

/// Refuses proofs that do not prove what they are said to, before they are aggregated.
Result<void> check_proofs(const groth16::PreparedVerifyingKey& key,
                          std::span<const groth16::Proof> proofs, const Statement& statement,
                          std::span<const ProvedSectorView> sectors, const JobOptions& options) {
  const std::span<const std::vector<Fr>> inputs = statement.inputs;
  BELFRY_TRY(const bool good, groth16::verify_batch(key, proofs, inputs, options.executor));
  if (good) return {};
  const std::size_t partitions = proofs.size() / sectors.size();
  std::string names;
  for (std::size_t i = 0; i < sectors.size(); ++i) {
    const std::size_t first = i * partitions;
    BELFRY_TRY(const bool sector_good,
               groth16::verify_batch(key, proofs.subspan(first, partitions),
                                     inputs.subspan(first, partitions), options.executor));
    if (!sector_good) names += (names.empty() ? "" : ", ") + std::string(sectors[i].name);
  }
  return fail(invalid(std::string(kAggregateStage), "proofs do not prove what they are said to")
                  .in_section(names));
}

/// What the bytes of an aggregate are checked with.
struct VerifierView {
  const groth16::PreparedVerifyingKey& key;
  const groth16::AggregationSrs& srs;
  const Executor& executor;
};

Result<bool> bytes_hold(ByteSpan bytes, const groth16::AggregateStatementView& statement,
                        const VerifierView& with, std::string_view file = {}) {
  BELFRY_TRY(const groth16::AggregateProof proof, groth16::parse_aggregate(bytes, file));
  BELFRY_TRY(const auto srs, with.srs.verifying_key());
  return groth16::verify_aggregate(srs, with.key, proof, statement, with.executor);
}

Result<void> self_check_aggregate(ByteSpan bytes, const groth16::AggregateStatementView& statement,
                                  const VerifierView& with, const JobOptions& options) {
  BELFRY_TRY(const bool good, bytes_hold(bytes, statement, with));
  if (good) return {};
  trace::count(options.tracer, kSelfCheckFailures, 1, "aggregate");
  return fail(Error{ErrorCode::kBackendFailed, std::string(kAggregateStage),
                    "self-check failed: the aggregate does not verify and is withheld"}
                  .in_file(with.srs.path().string())
                  .with_hint("Check the SRS with belfry params check, then the memory of this "
                             "machine"));
}

std::vector<PorepStatement> statements_of(std::span<const ProvedSectorView> sectors) {
  std::vector<PorepStatement> out;
  for (const ProvedSectorView& sector : sectors) out.push_back(sector.statement);
  return out;
}

/// The configuration of C1 outputs that must all have the same.
Result<void> check_same_kind(const filecoin::C1Output& first, const filecoin::C1Output& other,
                             std::string_view name) {
  const auto type_name = [](const filecoin::C1Output& c1) {
    return c1.registered ? c1.registered->name() : std::string(c1.config.sector->name);
  };
  if (type_name(first) == type_name(other)) return {};
  return fail(invalid(std::string(kAggregateStage), "the sectors are of different proof types")
                  .in_file(std::string(name))
                  .in_section("registered_proof")
                  .but(type_name(first), type_name(other)));
}

}  // namespace

std::filesystem::path srs_path(const JobOptions& options) {
  return options.srs_file.empty() ? options.params_dir / filecoin::kAggregationSrsFile
                                  : options.srs_file;
}

Result<void> check_srs_size(std::size_t proofs, const JobOptions& options) {
  BELFRY_TRY(const groth16::AggregationSrs srs, open_srs(options));
  return srs.check_size(groth16::padded_proofs(proofs));
}

Result<AggregatedProof> aggregate_porep(const PorepConfig& config,
                                        const AggregationProof& aggregation,
                                        std::span<const ProvedSectorView> sectors,
                                        const JobOptions& options) {
  trace::Span span(options.tracer, kAggregateStage);
  BELFRY_CHECK(filecoin::check_aggregation(config, aggregation, sectors.size()));
  BELFRY_TRY(const auto proofs, parse_all(config, sectors));
  BELFRY_TRY(const Statement statement, make_statement(config, statements_of(sectors)));
  BELFRY_TRY(const auto srs, open_srs(options));
  AggregatedProof out{
      .proof = {}, .proofs = proofs.size(), .padded = groth16::padded_proofs(proofs.size())};
  BELFRY_CHECK(srs.check_size(out.padded));
  BELFRY_TRY(const auto key_points, read_key(filecoin::circuit_of(config), options));
  const groth16::PreparedVerifyingKey key(key_points);
  BELFRY_CHECK(check_proofs(key, proofs, statement, sectors, options));
  BELFRY_TRY(const auto srs_key, srs.proving_key(out.padded, options.executor));
  BELFRY_TRY(const auto aggregated, groth16::aggregate(srs_key, proofs, version_of(aggregation),
                                                       statement.digest, options.work()));
  BELFRY_TRY(out.proof, groth16::encode(aggregated));
  BELFRY_CHECK(self_check_aggregate(out.proof, statement.view(aggregation),
                                    {key, srs, options.executor}, options));
  out.seconds = span.stop();
  return out;
}

Result<AggregatedProof> aggregate_porep(const AggregationProof& aggregation,
                                        std::span<const SectorFilesView> sectors,
                                        const JobOptions& options) {
  std::optional<filecoin::C1Output> first;
  std::vector<ProvedSectorView> proved;
  for (const SectorFilesView& sector : sectors) {
    BELFRY_CHECK(options.cancel.check(std::string(kAggregateStage)));
    BELFRY_TRY(filecoin::C1Output c1, filecoin::parse_c1(sector.c1.bytes, sector.c1.name));
    proved.push_back({filecoin::porep_statement(c1), sector.proofs.bytes, sector.proofs.name});
    c1.partitions.clear();
    c1.partitions.shrink_to_fit();
    if (!first)
      first = std::move(c1);
    else
      BELFRY_CHECK(check_same_kind(*first, c1, sector.c1.name));
  }
  if (first) return aggregate_porep(first->config, aggregation, proved, options);
  return fail(Error{ErrorCode::kInvalidUsage, std::string(kAggregateStage),
                    "an aggregate has at least one sector"});
}

Result<bool> verify_aggregate(ByteSpan proof, const AggregationProof& aggregation,
                              std::span<const PorepClaim> sectors, const JobOptions& options,
                              std::string_view proof_file) {
  const trace::Span span(options.tracer, "engine.verify_aggregate");
  if (sectors.empty()) {
    return fail(Error{ErrorCode::kInvalidUsage, std::string(kAggregateStage),
                      "an aggregate has at least one sector"});
  }
  const filecoin::SealProof& type = sectors.front().type;
  std::vector<PorepStatement> statements;
  for (const PorepClaim& claim : sectors) {
    if (claim.type.number != type.number) {
      return fail(invalid(std::string(kAggregateStage), "the sectors are of different proof types")
                      .in_section("proof_type")
                      .but(type.name(), claim.type.name()));
    }
    BELFRY_TRY(const PorepStatement statement, statement_of(claim));
    statements.push_back(statement);
  }
  const PorepConfig config = type.config();
  BELFRY_CHECK(filecoin::check_aggregation(config, aggregation, sectors.size()));
  BELFRY_TRY(const Statement statement, make_statement(config, statements));
  BELFRY_TRY(const auto srs, open_srs(options));
  BELFRY_TRY(const auto key, read_key(filecoin::circuit_of(config), options));
  return bytes_hold(proof, statement.view(aggregation),
                    {groth16::PreparedVerifyingKey(key), srs, options.executor}, proof_file);
}

}  // namespace belfry::engine
