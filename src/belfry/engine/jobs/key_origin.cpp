#include "belfry/engine/jobs/key_origin.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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
  const std::string digest = to_hex(key);
  if (const auto published = built_in_digest(file)) {
    origin.published_key = published->digest == digest;
  }
  const auto listed = listed_digest(file);
  if (!listed) {
    origin.table_fault = listed.error();
  } else if (const std::optional<PublishedDigest>& entry = *listed) {
    origin.listed_key = entry->digest == digest;
    origin.listed_by = entry->table;
  }
  return origin;
}

Result<KeyOrigin> key_origin(const filecoin::Circuit& circuit, const JobOptions& options) {
  BELFRY_TRY(const MappedFile file, open_key(circuit, options));
  BELFRY_TRY(const ByteSpan key, groth16::key_bytes(file.bytes(), file.path().string()));
  return key_origin(circuit, groth16::file_digest(key), options);
}

void warn_of_keys(const filecoin::Circuit& circuit, const KeyOrigin& origin,
                  const JobOptions& options) {
  const auto warn = [&](std::string_view message, const std::filesystem::path& table = {}) {
    trace::write_log(options.tracer, "engine", trace::Level::kWarning, message,
                     {{"circuit", circuit.name()}, {"published_by", name_of_table(table)}});
  };
  if (origin.table_fault) {
    trace::write_log(
        options.tracer, "engine", trace::Level::kWarning,
        "parameters.json is left out: the key was compared with the built-in table alone",
        {{"circuit", circuit.name()}, {"reason", origin.table_fault->describe()}});
  }
  const bool is_foreign = !origin.published_key.value_or(true);
  if (origin.test_parameters) {
    warn("these parameters are for tests: anyone who knows their trapdoor forges proofs");
  } else if (is_foreign && origin.listed_key.value_or(false)) {
    // Whoever fills a folder with keys of their own adds the table that names them.
    warn(
        "this key is published by a table in its folder, not by the built-in table of mainnet: "
        "mainnet refuses proofs under it, and whoever made it may forge them",
        origin.listed_by);
  } else if (is_foreign) {
    warn(
        "this is not the published key: the chain refuses proofs under it, and whoever made it may "
        "forge them");
  } else if (!origin.listed_key.value_or(true)) {
    warn(
        "this is not the key that a table in its folder publishes: the network of that table "
        "refuses proofs under it",
        origin.listed_by);
  }
  if (origin.test_srs) {
    warn("this is not the published SRS: anyone who knows its secrets forges aggregates");
  }
}

}  // namespace belfry::engine
