#include "belfry/engine/jobs/parameter_files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "belfry/base/file.h"
#include "belfry/engine/jobs/circuits.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/formats/manifest.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/keygen/device_setup.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/params/verdict.h"

namespace belfry::engine {
namespace {

constexpr std::uint64_t kMostManifestBytes = std::uint64_t{16} << 20U;

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// A missing file says what would bring it.
Error with_hint_if_missing(Error error, const filecoin::Circuit& circuit) {
  if (error.code != ErrorCode::kNotFound) return error;
  const std::string copy =
      "Copy the file of " + circuit.name() + " into the folder that --params names";
  if (!filecoin::find_published(circuit)) {
    return std::move(error).with_hint(
        copy + ", or make one for tests with belfry setup: none is published");
  }
  return std::move(error).with_hint(
      copy + ", or fetch it there with lotus or curio fetch-params " +
      std::string(circuit.sector->name) +
      " (belfry setup makes some for tests, whose proofs no chain accepts)");
}

ParameterFile describe(const std::string& circuit, FileKind kind, const std::filesystem::path& path,
                       const JobOptions& options) {
  ParameterFile file{
      .circuit = circuit, .name = path.filename().string(), .kind = kind, .path = path};
  const auto identity = groth16::identify(path);
  if (!identity) return file;
  file.bytes = identity->bytes;
  file.digest = groth16::VerdictCache(options.cache_dir).find(*identity);
  file.state = file.digest ? FileState::kChecked : FileState::kUnchecked;
  file.for_tests = groth16::is_marked_for_tests(path);
  return file;
}

/// Where derived parameters are, else where they would be looked for first.
std::filesystem::path derived_path(const std::filesystem::path& params, const JobOptions& options) {
  std::filesystem::path beside = groth16::derived_beside(params);
  if (is_there(beside)) return beside;
  const auto parameters = groth16::Parameters::open(params);
  if (!parameters) return beside;
  const std::filesystem::path cached =
      groth16::derived_paths(*parameters, options.cache_dir).back();
  return is_there(cached) ? cached : beside;
}

/// Whether a mark beside the file says that it is for tests. The mark names the digest of the
/// `.params`; a key is for tests where a marked `.params` beside it begins with it.
bool is_for_tests(const std::filesystem::path& file, const groth16::CheckReport& report) {
  if (report.kind != "vk") return groth16::is_marked_for_tests(file, report.digest);
  if (!groth16::is_marked_for_tests(file)) return false;
  const auto params =
      groth16::Parameters::open(std::filesystem::path(file).replace_extension(".params"));
  return params && groth16::check_same_key(*params, file);
}

/// The full check of an SRS, unless this very file passed it before.
Result<groth16::CheckReport> check_srs_file(const std::filesystem::path& file,
                                            const JobOptions& options) {
  BELFRY_TRY(const groth16::FileIdentity identity, groth16::identify(file));
  BELFRY_TRY(const groth16::AggregationSrs srs, groth16::AggregationSrs::open(file));
  groth16::CheckReport report{.kind = "srs",
                              .bytes = srs.bytes().size(),
                              .checked = {"structure", "curve", "subgroup", "powers"}};
  BELFRY_TRY(report.digest, groth16::file_digest(srs.bytes(), options.cancel));
  const groth16::VerdictCache verdicts(options.cache_dir);
  report.from_cache = verdicts.holds(identity, report.digest);
  if (report.from_cache) return report;
  BELFRY_CHECK(groth16::check_srs(srs, options.work()));
  const auto stored = verdicts.store(identity, report.digest);
  if (stored) return report;
  trace::write_log(options.tracer, "engine", trace::Level::kWarning, "verdict not stored",
                   {{"reason", stored.error().describe()}});
  return report;
}

constexpr std::string_view kHintWithoutCard = "Use --backend cpu or auto: they make the same files";

/// Whether a card makes the points of test parameters. An error only if it has to and can not.
Result<bool> is_set_up_on_card(const r1cs::Shape& shape, const groth16::CudaOptions& cuda,
                               const JobOptions& options) {
  if (options.backend == BackendPolicy::kCpu) return false;
  auto fits = groth16::check_device_setup(shape, cuda);
  if (fits) return true;
  Error error = std::move(fits).error();
  if (options.backend == BackendPolicy::kCuda) {
    return fail(refusal_of_cuda(std::move(error), kHintWithoutCard));
  }
  report_fallback(error, options.tracer, "making test parameters on the CPU");
  return false;
}

}  // namespace

std::filesystem::path params_path(const filecoin::Circuit& circuit, const JobOptions& options) {
  return options.params_dir / (filecoin::parameter_stem(circuit) + ".params");
}

std::filesystem::path key_path(const filecoin::Circuit& circuit, const JobOptions& options) {
  return options.params_dir / (filecoin::parameter_stem(circuit) + ".vk");
}

Result<groth16::Parameters> open_parameters(const filecoin::Circuit& circuit,
                                            const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.open_parameters");
  auto parameters = groth16::Parameters::open(params_path(circuit, options));
  if (!parameters) return fail(with_hint_if_missing(std::move(parameters.error()), circuit));
  const std::filesystem::path key = key_path(circuit, options);
  if (is_there(key)) BELFRY_CHECK(groth16::check_same_key(*parameters, key));
  return parameters;
}

Result<groth16::VerifyingKey> read_key(const filecoin::Circuit& circuit,
                                       const JobOptions& options) {
  auto key = groth16::read_verifying_key(key_path(circuit, options));
  if (key || key.error().code != ErrorCode::kNotFound) return key;
  const auto parameters = groth16::Parameters::open(params_path(circuit, options));
  if (parameters) return parameters->verifying_key();
  return fail(with_hint_if_missing(std::move(key.error()), circuit));
}

std::string_view to_string(FileState state) noexcept {
  switch (state) {
    case FileState::kMissing:
      return "missing";
    case FileState::kUnchecked:
      return "unchecked";
    case FileState::kChecked:
      return "checked";
  }
  return "missing";
}

std::vector<ParameterFile> list_parameter_files(const JobOptions& options) {
  std::vector<ParameterFile> files;
  for (const CircuitSummary& summary : list_circuits()) {
    const std::filesystem::path params = options.params_dir / summary.params_file;
    const std::filesystem::path key = std::filesystem::path(params).replace_extension(".vk");
    files.push_back(describe(summary.name, FileKind::kParameters, params, options));
    files.push_back(describe(summary.name, FileKind::kKey, key, options));
    const std::filesystem::path derived = derived_path(params, options);
    if (is_there(params) || is_there(derived)) {
      files.push_back(describe(summary.name, FileKind::kDerived, derived, options));
    }
  }
  files.push_back(
      describe("", FileKind::kSrs, options.params_dir / filecoin::kAggregationSrsFile, options));
  return files;
}

std::string name_of_table(const std::filesystem::path& table) {
  return table.empty() ? "the built-in table" : table.string();
}

std::optional<PublishedDigest> built_in_digest(const std::filesystem::path& file) {
  if (file.filename() == filecoin::kAggregationSrsFile) {
    return PublishedDigest{std::string(filecoin::kPublishedSrs.digest)};
  }
  for (const auto& published : filecoin::published_parameters()) {
    const auto sector = filecoin::find_sector(published.sector);
    if (!sector) continue;
    if (filecoin::parameter_stem({published.kind, *sector}) != file.stem().string()) continue;
    const bool is_key = file.extension() == ".vk";
    return PublishedDigest{std::string(is_key ? published.vk.digest : published.params.digest)};
  }
  return std::nullopt;
}

Result<std::optional<PublishedDigest>> listed_digest(const std::filesystem::path& file) {
  const std::filesystem::path path = file.parent_path() / "parameters.json";
  if (!is_there(path)) return std::nullopt;
  BELFRY_TRY(const auto bytes, read_file(path, kMostManifestBytes));
  BELFRY_TRY(const auto manifest, filecoin::parse_manifest(bytes, path.string()));
  const auto entry = manifest.find(file.filename().string());
  if (entry == manifest.end()) return std::nullopt;
  return PublishedDigest{entry->second.digest, path};
}

Result<std::optional<PublishedDigest>> published_digest(const std::filesystem::path& file) {
  // Of what is no file that can be read, a check has no verdict.
  if (is_there(file)) BELFRY_CHECK(MappedFile::open(file));
  BELFRY_TRY(auto listed, listed_digest(file));
  return listed ? std::move(listed) : built_in_digest(file);
}

Result<void> ParameterCheck::check_digest(const std::optional<PublishedDigest>& published) const {
  const std::string found = to_hex(report.digest);
  if (!published || published->digest == found || for_tests) return {};
  return fail(invalid("engine.check_parameters", "the digest is not the published one")
                  .in_file(file.string())
                  .in_section("file")
                  .at(0)
                  .but(published->digest, found)
                  .with_hint("It was compared with " + name_of_table(published->table) +
                             ". Fetch the file again; a file for tests has its mark, .test.json, "
                             "beside it"));
}

Result<ParameterCheck> check_parameter_file(const std::filesystem::path& file,
                                            const std::optional<filecoin::Circuit>& circuit,
                                            const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.check_parameters");
  auto checked = file.extension() == ".srs"
                     ? check_srs_file(file, options)
                     : groth16::check_file(file, options.cache_dir, options.work());
  if (!checked && circuit && file.parent_path() == options.params_dir) {
    return fail(with_hint_if_missing(std::move(checked.error()), *circuit));
  }
  BELFRY_TRY(auto report, std::move(checked));
  if (circuit && report.kind == "params") {
    BELFRY_TRY(const groth16::Parameters parameters, groth16::Parameters::open(file));
    BELFRY_TRY(const r1cs::Shape shape, load_shape(*circuit, options));
    BELFRY_CHECK(groth16::check_counts(parameters, shape));
    report.checked.emplace_back("counts");
  }
  const bool for_tests = is_for_tests(file, report);
  return ParameterCheck{.file = file, .report = std::move(report), .for_tests = for_tests};
}

Result<groth16::SetupReport> set_up_for_tests(const filecoin::Circuit& circuit,
                                              const std::optional<groth16::TestTrapdoor>& trapdoor,
                                              const std::filesystem::path& out_dir,
                                              const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.setup");
  // A circuit that this version lacks is refused before anything is said or made.
  BELFRY_CHECK(filecoin::circuit_counts(circuit));
  if (options.backend == BackendPolicy::kCuda) {
    // Before a shape is made, which takes a while.
    BELFRY_CHECK(require_card(kHintWithoutCard));
  }
  trace::write_log(options.tracer, "engine", trace::Level::kWarning,
                   "making parameters for TESTS ONLY: whoever knows the trapdoor forges proofs",
                   {{"circuit", circuit.name()}, {"trapdoor", trapdoor ? "given" : "random"}});
  std::error_code code;
  std::filesystem::create_directories(out_dir, code);
  if (code) {
    return fail(Error{ErrorCode::kResourceExhausted, "engine.setup",
                      "can not make the folder: " + code.message()}
                    .in_file(out_dir.string()));
  }
  BELFRY_TRY(const r1cs::Shape shape, load_shape(circuit, options));
  const groth16::CudaOptions cuda{.vram_budget_bytes = options.vram_budget_bytes};
  BELFRY_TRY(const bool on_card, is_set_up_on_card(shape, cuda, options));
  BELFRY_TRY(const groth16::TestTrapdoor secret,
             trapdoor ? Result<groth16::TestTrapdoor>(*trapdoor) : groth16::random_test_trapdoor());
  const std::string stem = filecoin::parameter_stem(circuit);
  if (on_card) {
    return groth16::make_test_parameters_on_device(shape, secret, out_dir, stem, cuda,
                                                   options.work());
  }
  return groth16::make_test_parameters(shape, secret, out_dir, stem, options.work());
}

}  // namespace belfry::engine
