// What a PoRep request is refused for before any proving.
#include "belfry/engine/jobs/porep.h"

#include <gtest/gtest.h>

#include <string>

#include "belfry/engine/jobs/proof_job.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "support/c1_text.h"
#include "support/temp_dir.h"
#include "support/vectors.h"
#include "support/whole_error.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;
using belfry::test::wrapped;

constexpr SectorIdentity kRecorded{.miner = 1000, .sector = 1};

class PorepRequest : public testing::Test {
 protected:
  Error refuse(std::string_view c1, const SectorIdentity& sector = kRecorded) {
    const auto proof = prove_porep(as_bytes(c1), "c1.json", sector, {}, options_);
    EXPECT_FALSE(proof);
    return proof ? Error{ErrorCode::kInternal, "", "accepted"} : proof.error();
  }

  belfry::test::TempDir dir_;
  Executor executor_{1};
  JobOptions options_{.params_dir = dir_.path(),
                      .cache_dir = dir_ / "cache",
                      .backend = BackendPolicy::kCpu,
                      .executor = executor_};
  std::string c1_ = [] {
    const auto bytes = read_vector("porep-2kib-v1_1/c1.json");
    return std::string(bytes.begin(), bytes.end());
  }();
};

TEST_F(PorepRequest, TheSectorOfTheWrapperMustBeThatOfTheRequest) {
  const Error error = refuse(wrapped(c1_, "2", "2048"));
  belfry::test::expect_whole_error(error);
  EXPECT_EQ(error.file, "c1.json");
  EXPECT_EQ(error.section, "sector 1, SectorNum");
  EXPECT_EQ(error.expected, "1");
  EXPECT_EQ(error.found, "2");
  // The same number, or none, is no contradiction: the request fails later, for its parameters.
  EXPECT_EQ(refuse(wrapped(c1_, "1", "2048")).code, ErrorCode::kNotFound);
  EXPECT_EQ(refuse(R"({"Phase1Out":")" + belfry::test::base64(c1_) + R"("})").code,
            ErrorCode::kNotFound);
}

TEST_F(PorepRequest, AnotherMinerOrSectorIsNamed) {
  for (const SectorIdentity& other :
       {SectorIdentity{.miner = 1001, .sector = 1}, SectorIdentity{.miner = 1000, .sector = 2}}) {
    const Error error = refuse(c1_, other);
    belfry::test::expect_whole_error(error);
    EXPECT_EQ(error.section, "sector " + std::to_string(other.sector) + ", replica_id");
    EXPECT_EQ(error.offset, c1_.find(":[", c1_.find("\"replica_id\"")) + 1);
    EXPECT_EQ(error.expected.size(), 64U);
    EXPECT_NE(error.expected, error.found);
  }
}

TEST_F(PorepRequest, AnotherApiVersionIsNamed) {
  const std::string name = R"("StackedDrg2KiBV1_1")";
  std::string text = c1_;
  text.replace(text.find(name), name.size(), R"("StackedDrg2KiBV1")");
  const Error error = refuse(text);
  belfry::test::expect_whole_error(error);
  EXPECT_EQ(error.section, "sector 1, replica_id");
  EXPECT_EQ(error.message, "the C1 output is of another miner, sector or registered proof");
  EXPECT_EQ(error.hint,
            "Compare miner 1000, sector 1 and registered_proof StackedDrg2KiBV1 with the record of "
            "the seal");
}

TEST_F(PorepRequest, CommitmentsInEachOthersPlaceAreTold) {
  auto c1 = filecoin::parse_c1(as_bytes(c1_), "c1.json");
  ASSERT_TRUE(c1);
  std::swap(c1->comm_r, c1->comm_d);
  const Error swapped = refuse(filecoin::write_c1(*c1));
  EXPECT_EQ(swapped.section, "sector 1, replica_id");
  EXPECT_EQ(swapped.hint, "comm_r and comm_d stand in each other's place");
  EXPECT_EQ(refuse(c1_, {.miner = 1, .sector = 1}).hint.find("comm_r"), std::string::npos);
}

TEST_F(PorepRequest, ErrorsAboutClaimsNameTheirSectorAndFile) {
  const auto of_sector = [](Error error) {
    return in_claims(std::move(error), "sector 7", "c1.json");
  };
  const Error claim = invalid("filecoin.porep.check", "no").in_section("vanilla_proofs[0][1]");
  EXPECT_EQ(of_sector(claim).file, "c1.json");
  EXPECT_EQ(of_sector(claim).section, "sector 7, vanilla_proofs[0][1]");
  EXPECT_EQ(of_sector(invalid("filecoin.porep.check", "no")).section, "sector 7");
  EXPECT_EQ(of_sector(Error(claim).in_file("c1.json (Phase1Out)")).file, "c1.json (Phase1Out)");
  for (const Error& other : {invalid("groth16.prove", "no"),
                             Error{ErrorCode::kCancelled, "filecoin.porep.check", "no"}}) {
    EXPECT_EQ(of_sector(other).file, "");
    EXPECT_EQ(of_sector(other).section, "");
  }
}

TEST_F(PorepRequest, OutputsThatCanNotBeReadAreNamedWithTheirSector) {
  std::string text = c1_;
  const std::size_t root = text.find(":[", text.find("\"root\"")) + 2;
  text.replace(root, text.find(',', root) - root, "256");
  const Error error = refuse(text);
  belfry::test::expect_whole_error(error);
  EXPECT_TRUE(error.section.starts_with("sector 1, vanilla_proofs.StackedDrg2KiBV1[0][0]."))
      << error.section;
  EXPECT_EQ(refuse("").section.substr(0, 8), "sector 1");
}

/// There are no parameters: a request that contradicts itself is refused before they are looked
/// for.
TEST_F(PorepRequest, ClaimsOfAllPartitionsAreCheckedBeforeAnythingIsOpened) {
  auto c1 = filecoin::parse_c1(as_bytes(c1_), "c1.json");
  ASSERT_TRUE(c1);
  ++c1->partitions[0][1].labeling[0].node;
  const Error error = refuse(filecoin::write_c1(*c1));
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput) << error.describe();
  EXPECT_EQ(error.file, "c1.json");
  EXPECT_EQ(error.section, "sector 1, vanilla_proofs[0][1].labeling_proofs[0].node");
}

TEST_F(PorepRequest, ALieInTheLastPartitionIsFoundBeforeAnythingIsOpened) {
  auto c1 = filecoin::parse_c1(read_vector("porep-2kib-ni/c1.json"), "c1.json");
  ASSERT_TRUE(c1);
  ASSERT_EQ(c1->partitions.size(), 13U);
  ++c1->partitions[12][0].encoding.node;
  const auto proof = prove_porep(*c1, {}, options_);
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().describe();
  EXPECT_EQ(proof.error().section, "vanilla_proofs[12][0].encoding_proof.node");
}

TEST_F(PorepRequest, TooFewEntriesOfTestRandomnessAreRefused) {
  const auto proof = run_proof_job(
      {.circuit = *filecoin::find_circuit("porep-2KiB"), .partitions = 10, .prepare = {}},
      {{Fr::one(), Fr::one()}}, options_);
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(proof.error().expected, "10");
  EXPECT_EQ(proof.error().found, "1");
}

TEST_F(PorepRequest, MissingParametersAreNamedWithAHint) {
  const Error error = refuse(c1_);
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_TRUE(error.file.starts_with(dir_.path().string())) << error.file;
  EXPECT_TRUE(error.file.ends_with(".params")) << error.file;
  EXPECT_FALSE(error.hint.empty());
}

}  // namespace
}  // namespace belfry::engine
