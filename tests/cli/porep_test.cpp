// verify porep and the failures of prove porep, with the recorded key of the 2 KiB circuit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/params/verdict.h"
#include "cli/run_belfry.h"
#include "cli/sector_arguments.h"
#include "support/c1_text.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

using Arguments = std::vector<std::string>;

const std::string kSector = "porep-2kib-v1_1/";

Arguments verify_arguments(const std::string& option = "", const std::string& value = "") {
  return verify_porep_arguments(kSector, "proof.bin", option, value);
}

Arguments prove_arguments(const std::string& c1, const Arguments& more = {}) {
  Arguments arguments{"prove", "porep", "--json", "--c1", c1, "--miner", "1000", "--sector", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(VerifyPorep, AcceptsTheRecordedProof) {
  const RunResult run = Belfry().run(verify_arguments());
  EXPECT_EQ(run.code, 0) << run.err;
  const Answer answer(run);
  EXPECT_TRUE(answer.ok());
  EXPECT_TRUE(bool(answer.root()["valid"]));
  EXPECT_FALSE(bool(answer.root()["published_key"])) << "it is one for tests";
  EXPECT_NE(run.err.find("this is not the published key"), std::string::npos) << run.err;
}

TEST(VerifyPorep, OtherClaimsAreExitCodeOne) {
  const Belfry belfry;
  const std::string other = std::string(62, '0') + "01";
  const std::pair<std::string, std::string> changes[] = {{"--comm-r", other},
                                                         {"--comm-d", other},
                                                         {"--ticket", other},
                                                         {"--seed", other},
                                                         {"--miner", "1001"},
                                                         {"--sector", "2"},
                                                         {"--proof-type", "StackedDrg2KiBV1"}};
  for (const auto& [option, value] : changes) {
    const RunResult run = belfry.run(verify_arguments(option, value));
    EXPECT_EQ(run.code, 1) << option << run.out;
    const Answer answer(run);
    EXPECT_TRUE(answer.ok());
    EXPECT_FALSE(bool(answer.root()["valid"])) << option;
  }
}

/// Another network's key is published by that network's table, and a forger's by the forger's: a
/// script that asks for the key of mainnet is told by the built-in table alone.
TEST(VerifyPorep, TellsWhichTableKnowsTheKey) {
  const Belfry belfry;
  const std::string name = filecoin::parameter_stem(*filecoin::find_circuit("porep-2KiB")) + ".vk";
  const std::string key = Belfry::read(vector_path("parameters/" + name));
  (void)belfry.put(name, key);
  const Arguments arguments = verify_arguments("--params", belfry.dir().path().string());
  const Answer built_in(belfry.run(arguments));
  EXPECT_FALSE(bool(built_in.root()["published_key"]));
  EXPECT_TRUE(built_in.root()["listed_key"].error());
  EXPECT_TRUE(built_in.root()["listed_by"].error());
  const auto put_manifest = [&](const std::string& digest) {
    return belfry.put("parameters.json", R"({")" + name + R"(":{"cid":"Q","digest":")" + digest +
                                             R"(","sector_size":2048}})");
  };
  const std::string table = put_manifest(to_hex(groth16::file_digest(as_bytes(key))));
  const RunResult run = belfry.run(arguments);
  const Answer listed(run);
  EXPECT_FALSE(bool(listed.root()["published_key"]));
  EXPECT_TRUE(bool(listed.root()["listed_key"]));
  EXPECT_EQ(text(listed.root()["listed_by"]), table);
  EXPECT_NE(run.err.find("not by the built-in table of mainnet"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("published_by=" + table), std::string::npos) << run.err;
  Arguments in_words = arguments;
  std::erase(in_words, "--json");
  EXPECT_EQ(belfry.run(in_words).out, "valid\nthe key is the one that " + table +
                                          " publishes, not the built-in table of mainnet\n");
  (void)put_manifest(std::string(32, '0'));
  const RunResult other = belfry.run(arguments);
  EXPECT_FALSE(bool(Answer(other).root()["published_key"]));
  EXPECT_FALSE(bool(Answer(other).root()["listed_key"]));
  EXPECT_NE(other.err.find("this is not the published key"), std::string::npos) << other.err;
  (void)belfry.put("parameters.json", "{");
  const RunResult damaged = belfry.run(arguments);
  EXPECT_EQ(damaged.code, 0) << damaged.out;
  EXPECT_FALSE(bool(Answer(damaged).root()["published_key"]));
  EXPECT_TRUE(Answer(damaged).root()["listed_by"].error());
  EXPECT_NE(damaged.err.find("parameters.json is left out"), std::string::npos) << damaged.err;
}

TEST(VerifyPorep, AnInteractiveProofNeedsItsSeed) {
  Arguments arguments = verify_arguments();
  const auto seed = std::ranges::find(arguments, "--seed");
  arguments.erase(seed, seed + 2);
  const RunResult run = Belfry().run(arguments);
  EXPECT_EQ(run.code, 2) << run.out;
  const Answer answer(run);
  EXPECT_EQ(answer.error("kind"), "invalid_usage");
  EXPECT_EQ(answer.error("section"), "--seed");
}

TEST(VerifyPorep, BytesThatAreNoProofAreExitCodeThree) {
  const Belfry belfry;
  const std::string proof = Belfry::read(vector_path(kSector + "proof.bin"));
  std::string flipped = proof;
  flipped[0] = static_cast<char>(flipped[0] ^ 1);
  for (const std::string& bytes : {std::string(), proof.substr(1), proof + "x", flipped}) {
    const RunResult run = belfry.run(verify_arguments("--proof", belfry.put("proof.bin", bytes)));
    EXPECT_EQ(run.code, 3) << bytes.size() << run.out;
    EXPECT_EQ(Answer(run).error("kind"), "invalid_input");
  }
}

TEST(VerifyPorep, CommitmentsAboveTheModulusAreExitCodeThree) {
  const Answer answer(Belfry().run(verify_arguments("--comm-r", std::string(64, 'f'))));
  EXPECT_EQ(answer.error("kind"), "invalid_input");
  EXPECT_EQ(answer.error("section"), "comm_r");
}

TEST(ProvePorep, WithoutParametersItSaysWhereTheyBelong) {
  const Belfry belfry;
  const RunResult run = belfry.run(prove_arguments(vector_path(kSector + "c1.json").string()));
  EXPECT_EQ(run.code, 3);
  const Answer answer(run);
  EXPECT_EQ(answer.error("kind"), "not_found");
  EXPECT_TRUE(answer.error("file").ends_with(".params"));
  EXPECT_NE(answer.error("hint").find("belfry setup"), std::string::npos);
}

TEST(ProvePorep, AMissingBackendIsExitCodeFive) {
  const RunResult run = Belfry().run(
      prove_arguments(vector_path(kSector + "c1.json").string(), {"--backend", "cuda"}));
  EXPECT_EQ(run.code, 5);
  EXPECT_EQ(Answer(run).error("kind"), "backend_failed");
}

TEST(ProvePorep, AnotherSectorIsNamed) {
  Arguments arguments = prove_arguments(vector_path(kSector + "c1.json").string());
  arguments.back() = "2";
  const RunResult run = Belfry().run(arguments);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(Answer(run).error("section"), "sector 2, replica_id");
}

TEST(ProvePorep, TheSectorOfTheWrapperIsHeldAgainstTheRequest) {
  const Belfry belfry;
  const std::string c1 = Belfry::read(vector_path(kSector + "c1.json"));
  const RunResult run =
      belfry.run(prove_arguments(belfry.put("c1.json", wrapped(c1, "2", "2048"))));
  EXPECT_EQ(run.code, 3);
  const Answer answer(run);
  EXPECT_EQ(answer.error("section"), "sector 1, SectorNum") << run.out;
  EXPECT_EQ(answer.error("expected"), "1");
  EXPECT_EQ(answer.error("found"), "2");
}

TEST(ProvePorep, BytesThatAreNoC1AreExitCodeThree) {
  const Belfry belfry;
  const std::string c1 = Belfry::read(vector_path(kSector + "c1.json"));
  for (const std::string& bytes : {std::string(), std::string("{}"), std::string("<html></html>"),
                                   c1.substr(0, c1.size() / 2), c1 + "x"}) {
    const std::string file = belfry.put("c1.json", bytes);
    const RunResult run = belfry.run(prove_arguments(file));
    EXPECT_EQ(run.code, 3) << bytes.size();
    const Answer answer(run);
    EXPECT_EQ(answer.error("kind"), "invalid_input") << run.out;
    EXPECT_EQ(answer.error("file"), file) << run.out;
  }
}

TEST(ProvePorep, BadTestRandomnessIsNamed) {
  const Belfry belfry;
  const std::pair<const char*, const char*> samples[] = {
      {"", ""},
      {R"({"r": ["01"]})", "s"},
      {R"({"r": ["01"], "s": []})", "r, s"},
      {R"({"r": ["01"], "s": ["zz"]})", "s[0]"},
      {R"({"r": [1], "s": ["01"]})", "r[0]"},
      {R"({"r": ["ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"], "s": ["1"]})",
       "r[0]"}};
  for (const auto& [content, section] : samples) {
    const RunResult run =
        belfry.run(prove_arguments(vector_path(kSector + "c1.json").string(),
                                   {"--test-randomness", belfry.put("r.json", content)}));
    EXPECT_EQ(run.code, 3) << content;
    EXPECT_EQ(Answer(run).error("section"), section) << run.out;
  }
}

TEST(Params, CheckAcceptsARecordedKeyAndRemembersIt) {
  const Belfry belfry;
  const std::string key = vector_path("mini/tiny/tiny.vk").string();
  const RunResult first = belfry.run({"params", "check", "--json", "--file", key});
  EXPECT_EQ(first.code, 0) << first.out;
  EXPECT_TRUE(bool(Answer(first).root()["valid"]));
  EXPECT_NE(first.out.find(R"("from_cache":false)"), std::string::npos);
  const RunResult second = belfry.run({"params", "check", "--json", "--file", key});
  EXPECT_NE(second.out.find(R"("from_cache":true)"), std::string::npos) << second.out;
}

TEST(Params, CheckOfABadFileIsExitCodeOne) {
  const Belfry belfry;
  const std::string params = Belfry::read(vector_path("mini/tiny/tiny.params"));
  std::string flipped = params;
  flipped[flipped.size() - 1] = static_cast<char>(flipped[flipped.size() - 1] ^ 1);
  for (const std::string& bytes :
       {std::string(), std::string("not found"), params.substr(0, 863), params + "x", flipped}) {
    const RunResult run =
        belfry.run({"params", "check", "--json", "--file", belfry.put("bad.params", bytes)});
    EXPECT_EQ(run.code, 1) << bytes.size() << run.out;
    const Answer answer(run);
    EXPECT_TRUE(answer.ok());
    EXPECT_FALSE(bool(answer.root()["valid"]));
    EXPECT_NE(run.out.find(R"("kind":"invalid_input")"), std::string::npos);
  }
}

TEST(Params, ListTellsTheState) {
  const Answer answer(
      Belfry().run({"params", "list", "--json", "--params", vector_path("parameters").string()}));
  ASSERT_TRUE(answer.ok());
  std::size_t unchecked = 0;
  std::size_t srs = 0;
  for (const simdjson::dom::element file : answer.root()["files"]) {
    const std::string state = text(file["state"]);
    if (state != "missing") {
      EXPECT_EQ(state, "unchecked");
      const bool key = text(file["name"]).ends_with(".vk");
      EXPECT_TRUE(key || text(file["name"]) == "v28-fil-inner-product-v1.srs");
      ++(key ? unchecked : srs);
    }
  }
  std::size_t keys = 0;
  for (const auto& entry : std::filesystem::directory_iterator(vector_path("parameters"))) {
    keys += entry.path().extension() == ".vk" ? 1U : 0U;
  }
  EXPECT_EQ(srs, 1U);
  EXPECT_EQ(unchecked, keys) << "the recorded keys are all of circuits that exist";
}

/// State of the derived file of the only parameters; "" where none is listed.
std::string derived_state(const Belfry& belfry, const std::string& params) {
  const RunResult run = belfry.run({"params", "list", "--json", "--params", params});
  std::string state;
  const Answer answer(run);
  for (const simdjson::dom::element file : answer.root()["files"]) {
    if (!text(file["name"]).ends_with(".derived")) continue;
    EXPECT_EQ(state, "") << "one alone";
    EXPECT_EQ(text(file["circuit"]), "porep-2KiB");
    state = text(file["state"]);
  }
  return state;
}

TEST(Params, DerivedFilesOfThoseThatAreThereAreListedAndMissedByTheDoctor) {
  const Belfry belfry;
  const std::string folder = belfry.dir().path().string();
  const std::string stem = filecoin::parameter_stem(*filecoin::find_circuit("porep-2KiB"));
  const auto doctor = [&](const std::string& backend) {
    return belfry.run({"doctor", "--json", "--params", folder, "--backend", backend}).out;
  };
  const std::string hint = "belfry params derive porep-2KiB";
  EXPECT_EQ(derived_state(belfry, folder), "");
  EXPECT_EQ(doctor("cuda").find(hint), std::string::npos);
  const std::string params =
      belfry.put(stem + ".params", Belfry::read(vector_path("mini/tiny/tiny.params")));
  EXPECT_EQ(derived_state(belfry, folder), "missing");
  EXPECT_NE(doctor("cuda").find(hint), std::string::npos) << doctor("cuda");
  EXPECT_EQ(doctor("cpu").find(hint), std::string::npos);
  const std::filesystem::path cache = belfry.dir() / "belfry";
  std::filesystem::create_directory(cache);
  const auto parameters = groth16::Parameters::open(params);
  ASSERT_TRUE(parameters);
  const std::filesystem::path cached = groth16::derived_paths(*parameters, cache).back();
  (void)belfry.put("belfry/" + cached.filename().string(), "points");
  EXPECT_EQ(derived_state(belfry, folder), "unchecked") << "it may lie in the cache";
  EXPECT_EQ(doctor("cuda").find(hint), std::string::npos);
}

TEST(Params, ListBeginsWithHowManyAreThere) {
  const RunResult run =
      Belfry().run({"params", "list", "--params", vector_path("parameters").string()});
  const std::string first = run.out.substr(0, run.out.find('\n'));
  std::size_t there = 1;  // the SRS
  for (const auto& entry : std::filesystem::directory_iterator(vector_path("parameters"))) {
    there += entry.path().extension() == ".vk" ? 1U : 0U;
  }
  const auto files = std::ranges::count(run.out, '\n') - 1;
  EXPECT_EQ(first, "folder " + vector_path("parameters").string() + ": " + std::to_string(there) +
                       " of " + std::to_string(files) + " files are there");
}

TEST(Doctor, ParametersForTestsAreNoGoodNews) {
  const Belfry belfry;
  const std::string folder = belfry.dir().path().string();
  const std::string stem = filecoin::parameter_stem(*filecoin::find_circuit("window-2KiB"));
  (void)belfry.put(stem + ".vk", Belfry::read(vector_path("parameters/" + stem + ".vk")));
  const Arguments command{"doctor", "--json", "--params", folder};
  const std::string unmarked = belfry.run(command).out;
  EXPECT_NE(unmarked.find("1 files in " + folder + ", 1 not yet checked\""), std::string::npos)
      << unmarked;
  (void)belfry.put(stem + ".test.json", R"({"belfry_test_parameters": 1})");
  const std::string marked = belfry.run(command).out;
  EXPECT_NE(marked.find("1 not yet checked, 1 for tests only\""), std::string::npos) << marked;
  EXPECT_NE(marked.find("circuit that you prove. Proofs with parameters for tests prove nothing"),
            std::string::npos)
      << marked;
}

TEST(Doctor, TellsHowLongProofsTake) {
  const Belfry belfry;
  const Arguments command{"doctor", "--json",   "--backend",
                          "cpu",    "--params", belfry.dir().path().string()};
  const std::string nothing_there = belfry.run(command).out;
  EXPECT_NE(nothing_there.find("on the CPU, a partition: porep-32GiB about "), std::string::npos)
      << nothing_there;
  const std::string stem = filecoin::parameter_stem(*filecoin::find_circuit("porep-2KiB"));
  (void)belfry.put(stem + ".params", Belfry::read(vector_path("mini/tiny/tiny.params")));
  const std::string one_there = belfry.run(command).out;
  EXPECT_NE(one_there.find("on the CPU, a partition: porep-2KiB about "), std::string::npos)
      << one_there;
  EXPECT_EQ(one_there.find("porep-32GiB about"), std::string::npos) << one_there;
}

TEST(Doctor, EveryFindingHasAStatus) {
  const RunResult run = Belfry().run({"doctor", "--json"});
  EXPECT_EQ(run.code, 0) << run.out;
  std::size_t checks = 0;
  const Answer answer(run);
  for (const simdjson::dom::element check : answer.root()["checks"]) {
    const std::string status = text(check["status"]);
    EXPECT_TRUE(status == "ok" || status == "warning") << status;
    EXPECT_FALSE(text(check["detail"]).empty());
    ++checks;
  }
  EXPECT_GE(checks, 9U);
  EXPECT_EQ(Belfry().run({"doctor", "--backend", "cuda"}).code, 1);
}

}  // namespace
}  // namespace belfry::test
