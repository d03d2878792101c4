#include "belfry/engine/jobs/key_origin.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/groth16/keygen/test_mark.h"
#include "belfry/groth16/params/verifying_key.h"

namespace belfry::engine {
namespace {

/// The `.vk` of a circuit, else its `.params`.
Result<MappedFile> open_key(const filecoin::Circuit& circuit, const JobOptions& options) {
  auto key = MappedFile::open(key_path(circuit, options));
  if (key || key.error().code != ErrorCode::kNotFound) return key;
  return MappedFile::open(params_path(circuit, options));
}

}  // namespace

KeyOrigin key_origin(const filecoin::Circuit& circuit, const groth16::FileDigest& key,
                     const JobOptions& options) {
  KeyOrigin origin{.test_parameters = groth16::is_marked_for_tests(params_path(circuit, options))};
  const std::filesystem::path file = key_path(circuit, options);
  auto listed = listed_digest(file);
  if (!listed) origin.table_fault = std::move(listed.error());
  const auto published = listed && *listed ? std::move(*listed) : built_in_digest(file);
  if (!published) return origin;
  origin.published_key = to_hex(key) == published->digest;
  origin.published_by = published->table;
  return origin;
}

Result<KeyOrigin> key_origin(const filecoin::Circuit& circuit, const JobOptions& options) {
  BELFRY_TRY(const MappedFile file, open_key(circuit, options));
  BELFRY_TRY(const ByteSpan key, groth16::key_bytes(file.bytes(), file.path().string()));
  return key_origin(circuit, groth16::file_digest(key), options);
}

void warn_of_keys(const filecoin::Circuit& circuit, const KeyOrigin& origin,
                  const JobOptions& options) {
  const auto warn = [&](std::string_view message) {
    trace::write_log(
        options.tracer, "engine", trace::Level::kWarning, message,
        {{"circuit", circuit.name()}, {"published_by", name_of_table(origin.published_by)}});
  };
  if (origin.table_fault) {
    trace::write_log(
        options.tracer, "engine", trace::Level::kWarning,
        "parameters.json is left out: the key was compared with the built-in table alone",
        {{"circuit", circuit.name()}, {"reason", origin.table_fault->describe()}});
  }
  if (origin.test_parameters) {
    warn("these parameters are for tests: anyone who knows their trapdoor forges proofs");
  } else if (!origin.published_key.value_or(true)) {
    warn(
        "this is not the published key: the chain refuses proofs under it, and whoever made it may "
        "forge them");
  }
  if (origin.test_srs) {
    warn("this is not the published SRS: anyone who knows its secrets forges aggregates");
  }
}

}  // namespace belfry::engine
