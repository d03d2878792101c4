// What a request about aggregates is refused for.
#include "belfry/engine/jobs/aggregate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "belfry/curve/encoding.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/jobs/porep.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/filecoin/porep/aggregation.h"
#include "belfry/groth16/keygen/test_mark.h"
#include "belfry/groth16/params/verdict.h"
#include "belfry/trace/span.h"
#include "engine/recorded_aggregate.h"
#include "groth16/support.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;
using belfry::test::vector_path;
using test::RecordedAggregate;

const filecoin::AggregationProof kV1 = filecoin::aggregation_proofs()[0];
const filecoin::AggregationProof kV2 = filecoin::aggregation_proofs()[1];

class AggregateRequest : public testing::Test {
 protected:
  [[nodiscard]] Error refuse(const RecordedAggregate& recorded,
                             const filecoin::AggregationProof& aggregation,
                             std::size_t sectors) const {
    const auto views = recorded.views();
    const auto made =
        aggregate_porep(recorded.config(), aggregation, std::span(views).first(sectors), options_);
    EXPECT_FALSE(made);
    return made ? Error{ErrorCode::kInternal, "", "accepted"} : made.error();
  }
  [[nodiscard]] Error refuse_to_verify(ByteSpan bytes, std::span<const PorepClaim> claims,
                                       const filecoin::AggregationProof& aggregation = kV2) const {
    const auto valid = verify_aggregate(bytes, aggregation, claims, options_);
    EXPECT_FALSE(valid);
    return valid ? Error{ErrorCode::kInternal, "", "accepted"} : valid.error();
  }

  test::RecordedKeys keys_;
  JobOptions options_ = keys_.options();
  RecordedAggregate sectors_ = test::recorded_sectors_of_aggregate();
};

TEST(Aggregations, HaveNamesAndNumbers) {
  EXPECT_EQ(kV1.name(), "SnarkPackV1");
  EXPECT_EQ(kV2.name(), "SnarkPackV2");
  EXPECT_EQ(filecoin::find_aggregation_proof("SnarkPackV2")->number, 1U);
  EXPECT_EQ(filecoin::find_aggregation_proof("0")->number, 0U);
  for (const char* name : {"SnarkPackV3", "2", "", "snarkpackv1"}) {
    EXPECT_EQ(filecoin::find_aggregation_proof(name).error().found, name);
  }
}

TEST(Aggregations, OfNonInteractiveProofsAreLimited) {
  const auto type = *filecoin::find_seal_proof("StackedDrg32GiBV1_2_Feat_NonInteractivePoRep");
  EXPECT_TRUE(filecoin::check_aggregation(type.config(), kV2, 65));
  EXPECT_EQ(filecoin::check_aggregation(type.config(), kV2, 66).error().found, "66");
  EXPECT_EQ(filecoin::check_aggregation(type.config(), kV2, 0).error().found, "0");
  EXPECT_EQ(filecoin::check_aggregation(type.config(), kV1, 1).error().section, "aggregation");
  const auto interactive = *filecoin::find_seal_proof("StackedDrg32GiBV1_1");
  EXPECT_TRUE(filecoin::check_aggregation(interactive.config(), kV1, 819));
  EXPECT_EQ(filecoin::check_aggregation(interactive.config(), kV1, 0).error().found, "0");
}

TEST_F(AggregateRequest, NeedsSectorsAndProofsOfTheirPartitions) {
  EXPECT_EQ(refuse(sectors_, kV2, 0).section, "sectors");
  sectors_.proofs[1].pop_back();
  const Error error = refuse(sectors_, kV2, 3);
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
  EXPECT_EQ(error.file, "proof of sector 2");
  EXPECT_EQ(refuse(test::recorded_non_interactive(), kV1, 1).section, "aggregation");
}

TEST_F(AggregateRequest, NeedsTheSrs) {
  options_.srs_file = vector_path("parameters") / "none.srs";
  Error error = refuse(sectors_, kV2, 3);
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.hint.find("--srs"), std::string::npos);
  EXPECT_EQ(refuse_to_verify({}, sectors_.claims).code, ErrorCode::kNotFound);
  // A non-interactive proof is refused before anything is proved.
  const auto c1 = filecoin::parse_c1(read_vector("porep-2kib-ni/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  const auto proof = prove_porep(*c1, {}, options_);
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(proof.error().file, options_.srs_file.string());
}

TEST_F(AggregateRequest, NeedsAnSrsOfEnoughPowers) {
  const auto read = read_srs(33, options_);
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_EQ(read->key.proofs(), 64U);
  EXPECT_FALSE(read->published);
  const auto refused = read_srs(65, options_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(refused.error().section, "g_alpha_powers");
}

TEST_F(AggregateRequest, ABadSrsIsFoundBeforeAnythingIsProved) {
  const belfry::test::TempDir dir;
  const auto good = read_vector("parameters/v28-fil-inner-product-v1.srs");
  const auto c1 = filecoin::parse_c1(read_vector("porep-2kib-ni/c1.json"), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  options_.srs_file = dir / "bad.srs";
  const auto refuse_bytes = [&](const std::vector<std::uint8_t>& bytes) {
    groth16::test::write_bytes(options_.srs_file, bytes);
    // No .params is here: whoever began to prove would miss it.
    const auto proof = prove_porep(*c1, {}, options_);
    EXPECT_FALSE(proof);
    return proof ? Error{ErrorCode::kInternal, "", "proved"} : proof.error();
  };
  constexpr std::size_t kPoint = curve::kCompressedSize<curve::G1Affine>;
  const auto third = good.begin() + 4 + 2 * kPoint;
  auto swapped = good;
  std::swap_ranges(swapped.begin() + (third - good.begin()),
                   swapped.begin() + (third - good.begin()) + kPoint,
                   swapped.begin() + (third - good.begin()) + kPoint);
  Error error = refuse_bytes(swapped);
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
  EXPECT_EQ(error.file, options_.srs_file.string());
  EXPECT_EQ(error.section, "g_alpha_powers");
  auto no_point = good;
  std::fill_n(no_point.begin() + (third - good.begin()), kPoint, std::uint8_t{0xff});
  error = refuse_bytes(no_point);
  EXPECT_EQ(error.section, "g_alpha_powers[2]");
  EXPECT_EQ(refuse_bytes(good).code, ErrorCode::kNotFound) << "of the parameters";
}

/// The digest alone takes a while, and is all that there is to do where a verdict is known.
TEST_F(AggregateRequest, ACheckOfTheSrsIsStoppedWhileItIsHashed) {
  const std::filesystem::path file = srs_path(options_);
  const auto checked = check_parameter_file(file, std::nullopt, options_);
  ASSERT_TRUE(checked) << checked.error().describe();
  CancelSource cancel;
  options_.cancel = cancel.token();
  ASSERT_TRUE(check_parameter_file(file, std::nullopt, options_)->report.from_cache);
  cancel.cancel();
  const auto stopped = check_parameter_file(file, std::nullopt, options_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  options_.cache_dir.clear();
  EXPECT_EQ(is_published_srs(options_).error().code, ErrorCode::kCancelled);
}

TEST_F(AggregateRequest, SayOnWhatTheyRest) {
  const filecoin::Circuit circuit = filecoin::circuit_of(sectors_.config());
  auto origin = aggregate_origin(circuit, options_);
  ASSERT_TRUE(origin) << origin.error().describe();
  EXPECT_TRUE(origin->test_srs) << "it has the production file's name";
  EXPECT_FALSE(origin->test_parameters);
  // A cached verdict about this very file decides where there is one.
  const auto identity = groth16::identify(srs_path(options_));
  ASSERT_TRUE(identity);
  groth16::FileDigest published{};
  const auto digest = from_hex(filecoin::kPublishedSrs.digest);
  ASSERT_TRUE(digest);
  std::ranges::copy(*digest, published.begin());
  ASSERT_TRUE(groth16::VerdictCache(options_.cache_dir).store(*identity, published));
  EXPECT_TRUE(is_published_srs(options_).value_or(false));
  // The mark beside parameters tells for their key too.
  const belfry::test::TempDir dir;
  std::filesystem::copy_file(key_path(circuit, options_),
                             dir / key_path(circuit, options_).filename().string());
  options_.srs_file = srs_path(options_);
  options_.params_dir = dir.path();
  ASSERT_TRUE(groth16::write_test_mark({.file = params_path(circuit, options_)}));
  EXPECT_TRUE(aggregate_origin(circuit, options_)->test_parameters);
}

TEST_F(AggregateRequest, VerifyingWarnsOfTheFirstVersionAndOfATestSrs) {
  trace::Log log(trace::Level::kWarning, trace::LogFormat::kText);
  trace::Registry metrics{trace::kTraceMetrics};
  trace::Tracer tracer(log, metrics);
  const auto log_of = [&](const filecoin::AggregationProof& version, const char* file) {
    testing::internal::CaptureStderr();
    JobOptions options = keys_.options();
    options.tracer = &tracer;
    const auto valid = verify_aggregate(read_vector(std::string("aggregate-2kib-3sectors/") + file),
                                        version, sectors_.claims, options);
    EXPECT_TRUE(valid && *valid);
    return testing::internal::GetCapturedStderr();
  };
  const std::string first = log_of(kV1, "aggregate-v1.bin");
  EXPECT_NE(first.find("anyone can forge an aggregate of this version"), std::string::npos);
  EXPECT_NE(first.find("not the published SRS"), std::string::npos);
  const std::string second = log_of(kV2, "aggregate-v2.bin");
  EXPECT_EQ(second.find("of this version"), std::string::npos);
  EXPECT_NE(second.find("not the published SRS"), std::string::npos);
}

TEST_F(AggregateRequest, NeedsTheKey) {
  const belfry::test::TempDir empty;
  options_.srs_file = vector_path("parameters") / filecoin::kAggregationSrsFile;
  options_.params_dir = empty.path();
  EXPECT_EQ(refuse(sectors_, kV2, 3).code, ErrorCode::kNotFound);
}

TEST_F(AggregateRequest, FilesOfDifferentTypesAreNotMixed) {
  const auto first = read_vector("porep-2kib-v1_1/c1.json");
  const auto second = read_vector("porep-2kib-v1_0/c1.json");
  const auto& proof = sectors_.proofs[0];
  const std::vector<SectorFilesView> files{{{proof, "1.bin"}, {first, "1.json"}},
                                           {{proof, "2.bin"}, {second, "2.json"}}};
  const auto mixed = aggregate_porep(kV2, files, options_);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().file, "2.json");
  EXPECT_EQ(mixed.error().section, "registered_proof");
  // No sectors are the same fault wherever they are missing.
  EXPECT_EQ(aggregate_porep(kV2, std::span<const SectorFilesView>(), options_).error().section,
            "sectors");
  std::vector<PorepClaim> claims = sectors_.claims;
  claims[1].type = *filecoin::find_seal_proof("StackedDrg2KiBV1");
  EXPECT_EQ(refuse_to_verify({}, claims).section, "proof_type");
}

TEST_F(AggregateRequest, BytesThatAreNoAggregateAreAnError) {
  const auto good = read_vector("aggregate-2kib-3sectors/aggregate-v2.bin");
  EXPECT_EQ(refuse_to_verify({}, sectors_.claims).code, ErrorCode::kInvalidInput);
  EXPECT_EQ(refuse_to_verify(ByteSpan(good).first(good.size() - 1), sectors_.claims).section, "n");
  EXPECT_EQ(refuse_to_verify(good, std::span(sectors_.claims).first(2)).section, "n");
  EXPECT_EQ(refuse_to_verify(good, {}).section, "sectors");
}

TEST_F(AggregateRequest, CommitmentsMustBeSome) {
  const auto good = read_vector("aggregate-2kib-3sectors/aggregate-v2.bin");
  for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    std::vector<PorepClaim> claims = sectors_.claims;
    claims[2].comm_r.fill(byte);
    EXPECT_EQ(refuse_to_verify(good, claims).section, "comm_r");
    claims = sectors_.claims;
    claims[0].comm_d.fill(byte);
    EXPECT_EQ(refuse_to_verify(good, claims).section, "comm_d");
  }
}

}  // namespace
}  // namespace belfry::engine
