// Whose key it is: the published one, another, or one of a circuit that has none.
#include "belfry/engine/jobs/key_origin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/jobs/porep.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/groth16/keygen/test_mark.h"
#include "belfry/groth16/params/verifying_key.h"
#include "engine/recorded_aggregate.h"
#include "support/whole_error.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;

class OriginOfAKey : public testing::Test {
 protected:
  OriginOfAKey() { std::filesystem::copy_file(key_path(circuit_, keys_.options()), key()); }

  [[nodiscard]] std::filesystem::path key() const { return key_path(circuit_, options_); }
  void mark() { ASSERT_TRUE(groth16::write_test_mark({.file = params_path(circuit_, options_)})); }
  /// What verifying the recorded proof writes to the log.
  [[nodiscard]] std::string log_of_verifying() {
    trace::Log log(trace::Level::kWarning, trace::LogFormat::kText);
    trace::Registry metrics{trace::kTraceMetrics};
    trace::Tracer tracer(log, metrics);
    JobOptions options = options_;
    options.tracer = &tracer;
    const auto sectors = test::recorded_sectors_of_aggregate();
    testing::internal::CaptureStderr();
    const auto valid = verify_porep(sectors.proofs[0], sectors.claims[0], options);
    EXPECT_TRUE(valid && *valid);
    return testing::internal::GetCapturedStderr();
  }

  test::RecordedKeys keys_;
  belfry::test::TempDir dir_;
  Executor executor_{1};
  JobOptions options_{.params_dir = dir_.path(), .cache_dir = {}, .executor = executor_};
  filecoin::Circuit circuit_ = *filecoin::find_circuit("porep-2KiB");
};

TEST_F(OriginOfAKey, IsThePublishedOneByItsDigest) {
  for (const filecoin::PublishedParameters& row : filecoin::published_parameters()) {
    const filecoin::Circuit circuit{row.kind, *filecoin::find_sector(row.sector)};
    const auto bytes = from_hex(row.vk.digest);
    ASSERT_TRUE(bytes);
    groth16::FileDigest digest{};
    ASSERT_EQ(bytes->size(), digest.size());
    std::ranges::copy(*bytes, digest.begin());
    EXPECT_EQ(key_origin(circuit, digest, options_).published_key, true) << circuit.name();
    digest.back() ^= 1;
    EXPECT_EQ(key_origin(circuit, digest, options_).published_key, false) << circuit.name();
  }
  const filecoin::Circuit unpublished{filecoin::CircuitKind::kPorep,
                                      *filecoin::find_sector("4KiB")};
  EXPECT_EQ(key_origin(unpublished, {}, options_).published_key, std::nullopt);
}

/// Another network has its own keys, and says in `parameters.json` which. So may whoever forges
/// proofs: the key of mainnet is by the built-in table alone.
TEST_F(OriginOfAKey, IsListedByTheTableBesideItAndNotPublished) {
  const std::filesystem::path table = dir_ / "parameters.json";
  const std::string name = key().filename().string();
  const auto put = [&](const std::string& digest) {
    std::ofstream(table) << R"({")" << name << R"(":{"cid":"Q","digest":")" << digest
                         << R"(","sector_size":2048}})";
  };
  const auto bytes = read_vector("parameters/" + name);
  put(to_hex(groth16::file_digest(bytes)));
  const auto listed = key_origin(circuit_, options_);
  ASSERT_TRUE(listed) << listed.error().describe();
  EXPECT_EQ(listed->published_key, false);
  EXPECT_EQ(listed->listed_key, true);
  EXPECT_EQ(listed->listed_by, table);
  const std::string warned = log_of_verifying();
  EXPECT_NE(warned.find("this key is published by a table in its folder, not by the built-in table "
                        "of mainnet"),
            std::string::npos)
      << warned;
  EXPECT_NE(warned.find("published_by=" + table.string()), std::string::npos) << warned;
  // The mainnet's own key is none of that network.
  const auto mainnet = from_hex(filecoin::find_published(circuit_)->vk.digest);
  groth16::FileDigest digest{};
  std::ranges::copy(*mainnet, digest.begin());
  EXPECT_EQ(key_origin(circuit_, digest, options_).published_key, true);
  EXPECT_EQ(key_origin(circuit_, digest, options_).listed_key, false);
  // A table that does not name the key changes nothing.
  std::ofstream(table) << "{}";
  EXPECT_EQ(key_origin(circuit_, digest, options_).published_key, true);
  EXPECT_EQ(key_origin(circuit_, digest, options_).listed_key, std::nullopt);
  EXPECT_EQ(key_origin(circuit_, digest, options_).listed_by, "");
}

/// The table feeds a label alone: proofs are made and verified without it, and the log says why.
TEST_F(OriginOfAKey, IsToldByTheBuiltInTableWhereTheOtherCanNotBeRead) {
  const std::filesystem::path table = dir_ / "parameters.json";
  const auto expect_left_out = [&](const std::string& fault) {
    const auto origin = key_origin(circuit_, options_);
    ASSERT_TRUE(origin) << origin.error().describe();
    EXPECT_EQ(origin->published_key, false);
    EXPECT_EQ(origin->listed_key, std::nullopt);
    ASSERT_TRUE(origin->table_fault);
    EXPECT_EQ(origin->table_fault->file, table.string());
    const std::string log = log_of_verifying();
    EXPECT_NE(log.find("parameters.json is left out"), std::string::npos) << log;
    EXPECT_NE(log.find(table.string()), std::string::npos) << log;
    EXPECT_NE(log.find(fault), std::string::npos) << log;
    EXPECT_NE(log.find("this is not the published key"), std::string::npos) << log;
  };
  std::ofstream(table) << R"({"v28-)";
  expect_left_out("offset");
  std::filesystem::remove(table);
  std::filesystem::create_directory(table);  // what nobody can read, root neither
  expect_left_out("not a regular file");
}

/// A `.params` file begins with the key, and no more of it is read.
TEST_F(OriginOfAKey, IsThatOfTheParametersWhereTheirKeyStandsAlone) {
  const auto of_key = key_origin(circuit_, options_);
  ASSERT_TRUE(of_key) << of_key.error().describe();
  EXPECT_EQ(of_key->published_key, false);
  EXPECT_FALSE(of_key->test_parameters);
  auto bytes = read_vector("parameters/" + key().filename().string());
  std::filesystem::remove(key());
  EXPECT_EQ(key_origin(circuit_, options_).error().code, ErrorCode::kNotFound);
  const auto put = [&] {
    std::ofstream(params_path(circuit_, options_), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  };
  bytes.resize(bytes.size() + 100);
  put();
  const auto of_params = key_origin(circuit_, options_);
  ASSERT_TRUE(of_params) << of_params.error().describe();
  EXPECT_EQ(of_params->published_key, false);
  bytes.resize(bytes.size() - 101);
  put();
  const auto cut = key_origin(circuit_, options_);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(cut.error().file, params_path(circuit_, options_).string());
}

/// So the digest of a key is that of its file, whichever of the two it was read from.
TEST(BytesOfAKey, AreThoseThatParametersBeginWith) {
  const auto vk = read_vector("mini/tiny/tiny.vk");
  const auto params = read_vector("mini/tiny/tiny.params");
  for (const auto& file : {vk, params}) {
    const auto key = groth16::key_bytes(file, "file");
    ASSERT_TRUE(key) << key.error().describe();
    EXPECT_TRUE(std::ranges::equal(*key, vk));
  }
  for (std::size_t size = 0; size < vk.size(); ++size) {
    const auto key = groth16::key_bytes(ByteSpan(params).first(size), "x.params");
    ASSERT_FALSE(key) << size;
    belfry::test::expect_whole_error(key.error(), std::to_string(size));
  }
}

TEST_F(OriginOfAKey, VerifyingWarnsOfAnUnknownKeyAndOfOneForTests) {
  const std::string unknown = log_of_verifying();
  EXPECT_NE(unknown.find("this is not the published key"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("porep-2KiB"), std::string::npos) << unknown;
  mark();
  const std::string for_tests = log_of_verifying();
  EXPECT_NE(for_tests.find("these parameters are for tests"), std::string::npos) << for_tests;
  EXPECT_EQ(for_tests.find("this is not the published key"), std::string::npos) << for_tests;
}

/// What a table in the folder says takes no warning away, and adds one of its own.
TEST_F(OriginOfAKey, WarningsDoNotDependOnWhatTheFolderSaysOfItself) {
  const auto warns = [&](std::optional<bool> published, std::optional<bool> listed) {
    trace::Log log(trace::Level::kWarning, trace::LogFormat::kText);
    trace::Registry metrics{trace::kTraceMetrics};
    trace::Tracer tracer(log, metrics);
    JobOptions options = options_;
    options.tracer = &tracer;
    testing::internal::CaptureStderr();
    warn_of_keys(circuit_,
                 {.published_key = published,
                  .listed_key = listed,
                  .listed_by = listed ? "/folder/parameters.json" : ""},
                 options);
    return testing::internal::GetCapturedStderr();
  };
  for (const std::optional<bool> listed : {std::optional<bool>{}, {false}, {true}}) {
    const std::string foreign = warns(false, listed);
    EXPECT_NE(foreign.find("whoever made it may forge them"), std::string::npos) << foreign;
    for (const std::optional<bool> published : {std::optional<bool>{}, {true}}) {
      const std::string text = warns(published, listed);
      EXPECT_EQ(text.find("forge"), std::string::npos) << text;
      EXPECT_EQ(text.find("not the key that a table in its folder publishes") != std::string::npos,
                listed == false)
          << text;
    }
  }
}

}  // namespace
}  // namespace belfry::engine
