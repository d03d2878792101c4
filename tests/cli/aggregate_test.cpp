// aggregate, verify aggregate, and verify porep of non-interactive proofs, with the recorded key
// and SRS of tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_belfry.h"
#include "cli/sector_arguments.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

using Arguments = std::vector<std::string>;

const std::string kSectors = "aggregate-2kib-3sectors/";
const std::string kNonInteractive = "porep-2kib-ni/";

std::string path_of(const std::string& name) { return vector_path(name).string(); }

Arguments with_parameters(Arguments arguments) {
  arguments.insert(arguments.end(), {"--json", "--params", path_of("parameters")});
  return arguments;
}

/// N=COMM_R,COMM_D,TICKET,SEED of the recorded sectors.
Arguments recorded_sectors() {
  const JsonFile json(kSectors + "aggregate.json");
  Arguments out;
  for (const auto sector : json["sectors"].get_array()) {
    const std::uint64_t number = sector["sector_number"].get_uint64().value();
    out.push_back(std::to_string(number) + "=" + text(sector["comm_r"]) + "," +
                  text(sector["comm_d"]) + "," + text(sector["ticket"]) + "," +
                  text(sector["seed"]));
  }
  return out;
}

/// `verify aggregate` of the recorded sectors.
Arguments verify_arguments(const std::string& proof, const std::string& aggregation,
                           const Arguments& sectors, const Arguments& more = {}) {
  Arguments arguments =
      with_parameters({"verify", "aggregate", "--proof", proof, "--proof-type",
                       "StackedDrg2KiBV1_1", "--aggregation", aggregation, "--miner", "f01000"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.emplace_back("--sector");
  arguments.insert(arguments.end(), sectors.begin(), sectors.end());
  return arguments;
}

Arguments verify_porep_arguments(const std::string& option = "", const std::string& value = "") {
  return test::verify_porep_arguments(kNonInteractive, "aggregate.bin", option, value);
}

/// C1 outputs of the recorded sectors, made as the reference made them.
Arguments make_c1(const Belfry& belfry) {
  const JsonFile json(kSectors + "aggregate.json");
  Arguments files;
  for (const auto sector : json["sectors"].get_array()) {
    const std::uint64_t number = sector["sector_number"].get_uint64().value();
    const std::string folder = (belfry.dir() / ("sector-" + std::to_string(number))).string();
    const RunResult sealed = belfry.run(
        {"seal", "--json", "--proof-type", "StackedDrg2KiBV1_1", "--miner", "1000", "--sector",
         std::to_string(number), "--ticket", text(sector["ticket"]), "--data",
         belfry.put("data",
                    piece(static_cast<std::uint32_t>(sector["data_shift"].get_uint64().value()))),
         "--out", folder});
    EXPECT_EQ(sealed.code, 0) << sealed.out;
    EXPECT_EQ(text(Answer(sealed).root()["comm_r"]), text(sector["comm_r"]));
    files.push_back((belfry.dir() / ("c1-" + std::to_string(number) + ".json")).string());
    const RunResult c1 = belfry.run(
        {"c1", "--json", "--dir", folder, "--seed", text(sector["seed"]), "--out", files.back()});
    EXPECT_EQ(c1.code, 0) << c1.out;
  }
  return files;
}

Arguments aggregate_arguments(const Arguments& proofs, const Arguments& c1,
                              const std::string& aggregation, const std::string& out) {
  Arguments arguments = with_parameters({"aggregate", "--aggregation", aggregation, "--out", out});
  arguments.emplace_back("--proof");
  arguments.insert(arguments.end(), proofs.begin(), proofs.end());
  arguments.emplace_back("--c1");
  arguments.insert(arguments.end(), c1.begin(), c1.end());
  return arguments;
}

TEST(Aggregate, OfSealedSectorsEqualsTheReference) {
  const Belfry belfry;
  const Arguments c1 = make_c1(belfry);
  const Arguments proofs{path_of(kSectors + "proof-1.bin"), path_of(kSectors + "proof-2.bin"),
                         path_of(kSectors + "proof-3.bin")};
  const std::string out = (belfry.dir() / "aggregate.bin").string();
  for (const auto& [aggregation, recorded] :
       {std::pair("SnarkPackV1", "aggregate-v1.bin"), std::pair("1", "aggregate-v2.bin")}) {
    const RunResult run = belfry.run(aggregate_arguments(proofs, c1, aggregation, out));
    ASSERT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(std::uint64_t(Answer(run).root()["bytes"]), 8212U);
    EXPECT_TRUE(bool(Answer(run).root()["test_srs"]));
    EXPECT_EQ(Belfry::read(out), Belfry::read(vector_path(kSectors + recorded)));
  }
  // A proof of another sector is named, and nothing is written.
  std::filesystem::remove(out);
  const RunResult swapped =
      belfry.run(aggregate_arguments({proofs[0], proofs[2], proofs[1]}, c1, "SnarkPackV2", out));
  EXPECT_EQ(swapped.code, 3);
  EXPECT_EQ(Answer(swapped).error("section"), proofs[2] + "; " + proofs[1]);
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(Aggregate, OfANonInteractiveSectorEqualsTheReference) {
  const Belfry belfry;
  const std::string out = (belfry.dir() / "aggregate.bin").string();
  const RunResult run =
      belfry.run(aggregate_arguments({path_of(kNonInteractive + "proof.bin")},
                                     {path_of(kNonInteractive + "c1.json")}, "SnarkPackV2", out));
  ASSERT_EQ(run.code, 0) << run.out;
  EXPECT_EQ(Belfry::read(out), Belfry::read(vector_path(kNonInteractive + "aggregate.bin")));
}

TEST(Aggregate, RefusalsHaveTheirExitCodes) {
  const Belfry belfry;
  const std::string out = (belfry.dir() / "aggregate.bin").string();
  const std::string proof = path_of(kNonInteractive + "proof.bin");
  const std::string c1 = path_of(kNonInteractive + "c1.json");
  EXPECT_EQ(belfry.run(aggregate_arguments({proof, proof}, {c1}, "SnarkPackV2", out)).code, 2);
  EXPECT_EQ(belfry.run(aggregate_arguments({proof}, {c1}, "SnarkPackV3", out)).code, 3);
  EXPECT_EQ(belfry.run(aggregate_arguments({proof}, {c1}, "SnarkPackV1", out)).code, 3);
  EXPECT_EQ(belfry.run(aggregate_arguments({c1}, {c1}, "SnarkPackV2", out)).code, 3);
  Arguments other_srs = aggregate_arguments({proof}, {c1}, "SnarkPackV2", out);
  other_srs.insert(other_srs.end(), {"--srs", (belfry.dir() / "none.srs").string()});
  const RunResult missing = belfry.run(other_srs);
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(Answer(missing).error("kind"), "not_found");
  other_srs.back() = belfry.put("bad.srs", "no SRS");
  EXPECT_EQ(Answer(belfry.run(other_srs)).error("file"), other_srs.back());
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(CheckSrs, AcceptsTheRecordedOneAndNamesWhatIsWrong) {
  const Belfry belfry;
  const std::string path = path_of("parameters/v28-fil-inner-product-v1.srs");
  // All its powers are good, and it is not the published one, which its name promises.
  const RunResult good = belfry.run({"params", "check", "--json", "--file", path});
  EXPECT_EQ(good.code, 1) << good.out;
  EXPECT_NE(good.out.find("ae20310138f5ba81451d723f858e3797"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find(R"("kind":"srs")"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find(R"("published":false)"), std::string::npos) << "it is one for tests";
  EXPECT_NE(good.out.find(R"("from_cache":false)"), std::string::npos) << good.out;
  const RunResult again = belfry.run({"params", "check", "--json", "--file", path});
  EXPECT_NE(again.out.find(R"("from_cache":true)"), std::string::npos) << again.out;
  const RunResult list =
      belfry.run({"params", "list", "--json", "--params", path_of("parameters")});
  std::string state;
  const Answer listed(list);
  for (const simdjson::dom::element file : listed.root()["files"]) {
    if (text(file["name"]).ends_with(".srs")) state = text(file["state"]);
  }
  EXPECT_EQ(state, "checked");
  std::string bytes = Belfry::read(path);
  EXPECT_EQ(belfry.run({"params", "check", "--file", belfry.put("test.srs", bytes)}).code, 0);
  // Two powers change their places.
  std::swap_ranges(bytes.begin() + 4 + 48, bytes.begin() + 4 + 96, bytes.begin() + 4 + 96);
  const RunResult bad =
      belfry.run({"params", "check", "--json", "--file", belfry.put("test.srs", bytes)});
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.out.find(R"("section":"g_alpha_powers")"), std::string::npos) << bad.out;
}

TEST(VerifyAggregate, AcceptsTheRecordedOnesAndNoOthers) {
  const Belfry belfry;
  const std::string v1 = path_of(kSectors + "aggregate-v1.bin");
  const std::string v2 = path_of(kSectors + "aggregate-v2.bin");
  const Arguments sectors = recorded_sectors();
  const auto answer = [&](const Arguments& arguments) {
    const RunResult run = belfry.run(arguments);
    EXPECT_EQ(run.code, bool(Answer(run).root()["valid"]) ? 0 : 1) << run.out;
    EXPECT_NE(run.out.find(R"("test_srs":true)"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find(R"("published_key":false)"), std::string::npos) << run.out;
    return run.code == 0;
  };
  EXPECT_TRUE(answer(verify_arguments(v1, "SnarkPackV1", sectors)));
  EXPECT_TRUE(answer(verify_arguments(v2, "SnarkPackV2", sectors)));
  EXPECT_FALSE(answer(verify_arguments(v1, "SnarkPackV2", sectors)));
  EXPECT_FALSE(answer(verify_arguments(v2, "SnarkPackV2", {sectors[1], sectors[0], sectors[2]})));
  EXPECT_TRUE(answer(verify_arguments(
      v2, "SnarkPackV2", sectors, {"--srs", path_of("parameters/v28-fil-inner-product-v1.srs")})));
}

TEST(VerifyAggregate, BadInputAndUsageHaveTheirExitCodes) {
  const Belfry belfry;
  const std::string v2 = path_of(kSectors + "aggregate-v2.bin");
  const Arguments sectors = recorded_sectors();
  const std::string bytes = Belfry::read(v2);
  for (const std::string& bad : {std::string(), bytes.substr(1), bytes + "x"}) {
    const RunResult run =
        belfry.run(verify_arguments(belfry.put("bad.bin", bad), "SnarkPackV2", sectors));
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_EQ(Answer(run).error("kind"), "invalid_input");
  }
  EXPECT_EQ(belfry.run(verify_arguments(v2, "SnarkPackV2", {sectors[0], sectors[1]})).code, 3);
  const std::string commitment = repeated("01");
  for (const std::string& sector :
       {std::string("1"), "1=" + commitment,
        "1=" + commitment + "," + commitment + "," + commitment, sectors[0] + "," + commitment,
        sectors[0] + ",", std::string("x") + sectors[0]}) {
    const RunResult run = belfry.run(verify_arguments(v2, "SnarkPackV2", {sector}));
    EXPECT_EQ(run.code, 2) << sector;
    EXPECT_EQ(Answer(run).error("section"), "--sector");
  }
}

TEST(VerifyPorep, OfANonInteractiveSectorNeedsNoSeed) {
  const Belfry belfry;
  Arguments arguments = verify_porep_arguments();
  const auto seed = std::ranges::find(arguments, "--seed");
  arguments.erase(seed, seed + 2);
  const RunResult run = belfry.run(arguments);
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_TRUE(bool(Answer(run).root()["valid"]));
}

TEST(VerifyPorep, OfANonInteractiveSectorIsThatOfItsAggregate) {
  const Belfry belfry;
  const RunResult run = belfry.run(verify_porep_arguments());
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_TRUE(bool(Answer(run).root()["valid"]));
  EXPECT_EQ(belfry.run(verify_porep_arguments("--seed", repeated("03"))).code, 0)
      << "the seed is not used";
  for (const auto& [option, value] :
       {std::pair("--comm-r", repeated("01")), std::pair("--ticket", repeated("02")),
        std::pair("--sector", std::string("2"))}) {
    EXPECT_EQ(belfry.run(verify_porep_arguments(option, value)).code, 1) << option;
  }
  EXPECT_EQ(
      belfry.run(verify_porep_arguments("--proof", path_of(kNonInteractive + "proof.bin"))).code,
      3);
}

}  // namespace
}  // namespace belfry::test
