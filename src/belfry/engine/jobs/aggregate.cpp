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
#include "belfry/groth16/params/verdict.h"
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

bool is_published(const groth16::FileDigest& digest) {
  return to_hex(digest) == filecoin::kPublishedSrs.digest;
}

/// See is_published_srs. A digest that is not the published one is not noted: `params check` alone
/// may say of such a file that it is good.
Result<bool> is_published(const groth16::AggregationSrs& srs, const JobOptions& options) {
  if (options.cache_dir.empty()) {
    return groth16::file_digest(srs.bytes(), options.cancel).map([](const auto& digest) {
      return is_published(digest);
    });
  }
  BELFRY_TRY(const groth16::FileIdentity identity, groth16::identify(srs.path()));
  const groth16::VerdictCache noted(options.cache_dir / "published");
  auto known = groth16::VerdictCache(options.cache_dir).find(identity);
  if (!known) known = noted.find(identity);
  if (known) return is_published(*known);
  BELFRY_TRY(const groth16::FileDigest digest, groth16::file_digest(srs.bytes(), options.cancel));
  if (!is_published(digest)) return false;
  const auto stored = noted.store(identity, digest);
  if (stored) return true;
  trace::write_log(options.tracer, "engine", trace::Level::kWarning, "digest not stored",
                   {{"reason", stored.error().describe()}});
  return true;
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

/// The proofs of one sector, and what they are to prove.
struct SectorProofsView {
  std::span<const groth16::Proof> proofs;  // (partitions)
  std::span<const std::vector<Fr>> inputs;
};

/// Names a sector whose proofs do not hold together, and its partitions where there are some.
Result<std::string> name_bad_proofs(const groth16::PreparedVerifyingKey& key,
                                    const SectorProofsView& sector, std::string_view name,
                                    const JobOptions& options) {
  if (sector.proofs.size() == 1) return std::string(name);
  std::string partitions;
  for (std::size_t k = 0; k < sector.proofs.size(); ++k) {
    BELFRY_TRY(const bool good,
               groth16::verify_batch(key, sector.proofs.subspan(k, 1), sector.inputs.subspan(k, 1),
                                     options.executor));
    if (!good) partitions += (partitions.empty() ? " partition " : ", ") + std::to_string(k);
  }
  return std::string(name) + partitions;
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
    const SectorProofsView sector{proofs.subspan(first, partitions),
                                  inputs.subspan(first, partitions)};
    BELFRY_TRY(const bool sector_good,
               groth16::verify_batch(key, sector.proofs, sector.inputs, options.executor));
    if (sector_good) continue;
    BELFRY_TRY(const std::string bad, name_bad_proofs(key, sector, sectors[i].name, options));
    names += (names.empty() ? "" : "; ") + bad;
  }
  return fail(invalid(std::string(kAggregateStage), "proofs do not prove what they are said to")
                  .in_section(names));
}

/// What the bytes of an aggregate are checked with.
struct VerifierView {
  const groth16::PreparedVerifyingKey& key;
  const groth16::AggregationVerifyingKey& srs;
  const Executor& executor;
};

Result<bool> bytes_hold(ByteSpan bytes, const groth16::AggregateStatementView& statement,
                        const VerifierView& with, std::string_view file = {}) {
  BELFRY_TRY(const groth16::AggregateProof proof, groth16::parse_aggregate(bytes, file));
  return groth16::verify_aggregate(with.srs, with.key, proof, statement, with.executor);
}

Result<void> self_check_aggregate(ByteSpan bytes, const groth16::AggregateStatementView& statement,
                                  const VerifierView& with, const std::filesystem::path& srs_file,
                                  const JobOptions& options) {
  BELFRY_TRY(const bool good, bytes_hold(bytes, statement, with));
  if (good) return {};
  trace::count(options.tracer, kSelfCheckFailures, 1, "aggregate");
  return fail(Error{ErrorCode::kBackendFailed, std::string(kAggregateStage),
                    "self-check failed: the aggregate does not verify and is withheld"}
                  .in_file(srs_file.string())
                  .with_hint("Check the SRS with belfry params check, then the memory of this "
                             "machine"));
}

std::vector<PorepStatement> statements_of(std::span<const ProvedSectorView> sectors) {
  std::vector<PorepStatement> out;
  for (const ProvedSectorView& sector : sectors) out.push_back(sector.statement);
  return out;
}

void warn_of_version(const AggregationProof& aggregation, const JobOptions& options) {
  if (version_of(aggregation) != groth16::SnarkPackVersion::kV1) return;
  trace::write_log(options.tracer, "engine", trace::Level::kWarning,
                   "anyone can forge an aggregate of this version: that it verifies proves nothing",
                   {{"aggregation", aggregation.name()}});
}

Error mixed_types(std::string_view section) {
  return invalid(std::string(kAggregateStage), "the sectors are of different proof types")
      .in_section(std::string(section));
}

/// All sectors of an aggregate are of one proof type; `mixed` says where one of them is named.
Result<void> check_same_type(const std::string& first, const std::string& other, Error mixed) {
  if (first == other) return {};
  return fail(std::move(mixed).but(first, other));
}

std::string type_name(const filecoin::C1Output& c1) {
  return c1.registered ? c1.registered->name() : std::string(c1.config.sector->name);
}

/// What is aggregated. A view.
struct RequestView {
  const PorepConfig& config;
  const AggregationProof& aggregation;
  std::span<const ProvedSectorView> sectors;
};

/// The same, read.
struct Request {
  std::vector<groth16::Proof> proofs;
  Statement statement;
};

Result<Request> parse_request(const RequestView& view) {
  BELFRY_CHECK(filecoin::check_aggregation(view.config, view.aggregation, view.sectors.size()));
  Request request;
  BELFRY_TRY(request.proofs, parse_all(view.config, view.sectors));
  BELFRY_TRY(request.statement, make_statement(view.config, statements_of(view.sectors)));
  return request;
}

Result<AggregatedProof> aggregate_request(const RequestView& view, const Request& request,
                                          const OpenedSrs& srs, const JobOptions& options) {
  trace::Span span(options.tracer, kAggregateStage);
  const auto& [proofs, statement] = request;
  const filecoin::Circuit circuit = filecoin::circuit_of(view.config);
  BELFRY_TRY(const auto key_points, read_key(circuit, options));
  KeyOrigin origin =
      key_origin(circuit, groth16::file_digest(groth16::encode(key_points)), options);
  origin.test_srs = !srs.published;
  const groth16::PreparedVerifyingKey key(key_points);
  BELFRY_CHECK(check_proofs(key, proofs, statement, view.sectors, options));
  BELFRY_TRY(const auto aggregated,
             groth16::aggregate(srs.key, proofs, version_of(view.aggregation), statement.digest,
                                options.work()));
  AggregatedProof out{.proof = {},
                      .proofs = proofs.size(),
                      .padded = groth16::padded_proofs(proofs.size()),
                      .origin = std::move(origin)};
  BELFRY_TRY(out.proof, groth16::encode(aggregated));
  const groth16::AggregationVerifyingKey srs_key = srs.key.verifying_key();
  BELFRY_CHECK(self_check_aggregate(out.proof, statement.view(view.aggregation),
                                    {key, srs_key, options.executor}, srs.path, options));
  out.seconds = span.stop();
  return out;
}

}  // namespace

std::filesystem::path srs_path(const JobOptions& options) {
  return options.srs_file.empty() ? options.params_dir / filecoin::kAggregationSrsFile
                                  : options.srs_file;
}

Result<OpenedSrs> read_srs(std::size_t proofs, const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.read_srs");
  BELFRY_TRY(const groth16::AggregationSrs srs, open_srs(options));
  OpenedSrs out{.path = srs.path(), .key = {}};
  BELFRY_TRY(out.key, srs.proving_key(groth16::padded_proofs(proofs), options.executor));
  auto checked = groth16::check_powers(out.key, options.work());
  if (!checked) {
    return fail(std::move(checked.error())
                    .in_file(out.path.string())
                    .with_hint("Fetch the SRS again and compare it with belfry params check"));
  }
  BELFRY_TRY(out.published, is_published(srs, options));
  return out;
}

Result<bool> is_published_srs(const JobOptions& options) {
  BELFRY_TRY(const groth16::AggregationSrs srs, open_srs(options));
  return is_published(srs, options);
}

Result<KeyOrigin> aggregate_origin(const filecoin::Circuit& circuit, const JobOptions& options) {
  BELFRY_TRY(const bool published, is_published_srs(options));
  BELFRY_TRY(KeyOrigin origin, key_origin(circuit, options));
  origin.test_srs = !published;
  return origin;
}

Result<AggregatedProof> aggregate_porep(const PorepConfig& config,
                                        const AggregationProof& aggregation,
                                        std::span<const ProvedSectorView> sectors,
                                        const OpenedSrs& srs, const JobOptions& options) {
  const RequestView view{config, aggregation, sectors};
  BELFRY_TRY(const Request request, parse_request(view));
  return aggregate_request(view, request, srs, options);
}

Result<AggregatedProof> aggregate_porep(const PorepConfig& config,
                                        const AggregationProof& aggregation,
                                        std::span<const ProvedSectorView> sectors,
                                        const JobOptions& options) {
  const RequestView view{config, aggregation, sectors};
  BELFRY_TRY(const Request request, parse_request(view));
  trace::Span read(options.tracer, "engine.aggregate.srs");
  BELFRY_TRY(const OpenedSrs srs, read_srs(request.proofs.size(), options));
  const double read_seconds = read.stop();
  BELFRY_TRY(AggregatedProof out, aggregate_request(view, request, srs, options));
  out.seconds += read_seconds;
  warn_of_keys(filecoin::circuit_of(config), out.origin, options);
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
      BELFRY_CHECK(
          check_same_type(type_name(*first), type_name(c1),
                          mixed_types("registered_proof").in_file(std::string(sector.c1.name))));
  }
  return aggregate_porep(first ? first->config : PorepConfig{}, aggregation, proved, options);
}

Result<bool> verify_aggregate(ByteSpan proof, const AggregationProof& aggregation,
                              std::span<const PorepClaim> sectors, const JobOptions& options,
                              std::string_view proof_file) {
  const trace::Span span(options.tracer, "engine.verify_aggregate");
  const PorepConfig config = sectors.empty() ? PorepConfig{} : sectors.front().type.config();
  BELFRY_CHECK(filecoin::check_aggregation(config, aggregation, sectors.size()));
  std::vector<PorepStatement> statements;
  for (const PorepClaim& claim : sectors) {
    BELFRY_CHECK(
        check_same_type(sectors.front().type.name(), claim.type.name(), mixed_types("proof_type")));
    BELFRY_TRY(const PorepStatement statement, statement_of(claim));
    statements.push_back(statement);
  }
  BELFRY_TRY(const Statement statement, make_statement(config, statements));
  BELFRY_TRY(const auto srs, open_srs(options));
  const filecoin::Circuit circuit = filecoin::circuit_of(config);
  BELFRY_TRY(const auto key, read_key(circuit, options));
  BELFRY_TRY(const auto srs_key, srs.verifying_key());
  BELFRY_TRY(const KeyOrigin origin, aggregate_origin(circuit, options));
  warn_of_keys(circuit, origin, options);
  warn_of_version(aggregation, options);
  return bytes_hold(proof, statement.view(aggregation),
                    {groth16::PreparedVerifyingKey(key), srs_key, options.executor}, proof_file);
}

}  // namespace belfry::engine
