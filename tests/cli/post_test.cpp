// verify and prove of WinningPoSt and WindowPoSt, with the recorded keys and parameters made here.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_belfry.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

using Arguments = std::vector<std::string>;

/// One recorded PoSt as the command line takes it.
struct RecordedPost {
  std::string noun;
  std::string folder;

  [[nodiscard]] std::string file(const std::string& name) const {
    return vector_path(folder + "/" + name).string();
  }
  /// Numbers of the sectors and what stands behind `=` in --sector.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> sectors() const {
    const JsonFile post(folder + "/post.json");
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto sector : post["sectors"].get_array()) {
      out.emplace_back(std::to_string(std::uint64_t(sector["sector_number"])),
                       text(sector["comm_r"]));
    }
    return out;
  }
  /// The options that prove and verify share, with one of them replaced.
  [[nodiscard]] Arguments common(const std::string& verb, const std::string& option = "",
                                 const std::string& value = "") const {
    const JsonFile post(folder + "/post.json");
    Arguments arguments{verb, noun, "--json"};
    for (const auto& [name, usual] : {std::pair{std::string("--miner"), std::string("f01000")},
                                      {"--proof-type", text(post["post_proof"])},
                                      {"--randomness", text(post["randomness"])}}) {
      arguments.push_back(name);
      arguments.push_back(name == option ? value : usual);
    }
    return arguments;
  }
  [[nodiscard]] Arguments verify(const std::string& proof, Arguments arguments) const {
    arguments.insert(arguments.end(), {"--params", vector_path("parameters").string(), "--proof",
                                       proof, "--sector"});
    for (const auto& [number, comm_r] : sectors()) {
      std::string argument = number;
      argument.append("=").append(comm_r);
      arguments.push_back(argument);
    }
    return arguments;
  }
  [[nodiscard]] Arguments verify() const { return verify(file("proof.bin"), common("verify")); }
  [[nodiscard]] Arguments prove(Arguments arguments) const {
    arguments.emplace_back("--vanilla");
    for (const auto& [number, comm_r] : sectors()) {
      arguments.push_back(file("vanilla-" + number + ".bin"));
    }
    return arguments;
  }
};

const RecordedPost kWinning{"winning", "winning-2kib"};
const RecordedPost kWindow{"window", "window-2kib-3sectors"};

TEST(VerifyPost, AcceptsTheRecordedProofs) {
  for (const RecordedPost& post :
       {kWinning, RecordedPost{"window", "window-2kib-1sector"}, kWindow}) {
    const RunResult run = Belfry().run(post.verify());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_TRUE(bool(Answer(run).root()["valid"])) << post.folder;
    EXPECT_FALSE(bool(Answer(run).root()["published_key"])) << "it is one for tests";
  }
}

TEST(VerifyPost, OtherClaimsAreExitCodeOne) {
  const std::string other = std::string(62, '0') + "01";
  for (const RecordedPost& post : {kWinning, kWindow}) {
    const auto arguments =
        post.verify(post.file("proof.bin"), post.common("verify", "--randomness", other));
    const RunResult run = Belfry().run(arguments);
    EXPECT_EQ(run.code, 1) << run.out;
    EXPECT_FALSE(bool(Answer(run).root()["valid"]));
    Arguments another = post.verify();
    std::string& sector = another.back();
    sector.replace(sector.find('=') + 1, 64, other);
    EXPECT_EQ(Belfry().run(another).code, 1);
  }
}

TEST(VerifyPost, BadValuesAreNamed) {
  const Belfry belfry;
  const auto section = [&](const Arguments& arguments, int code) {
    const RunResult run = belfry.run(arguments);
    EXPECT_EQ(run.code, code) << run.out << run.err;
    return Answer(run).error("section");
  };
  EXPECT_EQ(section(kWindow.verify(kWindow.file("proof.bin"),
                                   kWindow.common("verify", "--randomness", std::string(64, 'f'))),
                    3),
            "randomness");
  EXPECT_EQ(
      section(kWindow.verify(kWindow.file("proof.bin"),
                             kWindow.common("verify", "--proof-type", "StackedDrgWinning2KiBV1")),
              3),
      "--proof-type");
  Arguments arguments = kWindow.verify();
  arguments.back() = "7";
  EXPECT_EQ(section(arguments, 2), "--sector");
  arguments.back() = "7=zz";
  EXPECT_EQ(section(arguments, 2), "--sector");
  arguments = kWinning.verify();
  arguments.push_back("9=" + std::string(64, '0'));
  EXPECT_EQ(section(arguments, 2), "--sector");
}

TEST(ProvePost, ContradictionsAreExitCodeThree) {
  const Belfry belfry;
  const auto error = [&](const Arguments& arguments) {
    const RunResult run = belfry.run(arguments);
    EXPECT_EQ(run.code, 3) << run.out << run.err;
    return Answer(run).error("section");
  };
  const std::string other = std::string(62, '0') + "01";
  EXPECT_EQ(error(kWindow.prove(kWindow.common("prove", "--randomness", other))),
            "partition 0, sector 1, inclusion_proofs[0].path");
  EXPECT_EQ(error(kWindow.prove(kWindow.common("prove", "--proof-type", "StackedDrgWindow8MiBV1"))),
            "partition 0, sector 1, inclusion_proofs[0].path");
  EXPECT_EQ(error(kWinning.prove(kWinning.common("prove", "--proof-type", "10"))), "--proof-type");
  Arguments twice = kWindow.prove(kWindow.common("prove"));
  twice.push_back(twice.back());
  EXPECT_EQ(error(twice), "sector 7, sector_number");
  const std::string damaged = belfry.put("vanilla.bin", "not a vanilla proof");
  Arguments arguments = kWinning.common("prove");
  arguments.insert(arguments.end(), {"--vanilla", damaged});
  const RunResult run = belfry.run(arguments);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(Answer(run).error("file"), damaged);
}

TEST(ProvePost, EveryBadSectorIsTold) {
  const Belfry belfry;
  Arguments arguments = kWindow.common("prove");
  arguments.emplace_back("--vanilla");
  for (const char* number : {"1", "2", "7"}) {
    std::string bytes = Belfry::read(kWindow.file("vanilla-" + std::string(number) + ".bin"));
    if (*number != '2') bytes[60] = static_cast<char>(bytes[60] ^ 1);  // the first root
    arguments.push_back(belfry.put("v" + std::string(number), bytes));
  }
  const RunResult run = belfry.run(arguments);
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  const Answer answer(run);
  EXPECT_EQ(answer.error("section"), "partition 0, sector 1, inclusion_proofs[0].root");
  const simdjson::dom::object error = answer.root()["error"];
  EXPECT_EQ(std::uint64_t(error["refused_count"]), 2U);
  std::vector<std::string> told;
  for (const auto sector : error["refused_sectors"].get_array()) {
    told.push_back(std::to_string(std::uint64_t(sector["partition"])) + "/" +
                   std::to_string(std::uint64_t(sector["sector"])) + " " + text(sector["file"]) +
                   " " + text(sector["section"]));
    EXPECT_EQ(text(sector["kind"]), "invalid_input");
    EXPECT_NE(text(sector["expected"]), text(sector["found"]));
  }
  EXPECT_EQ(told,
            (std::vector<std::string>{"0/1 " + (belfry.dir() / "v1").string() +
                                          " partition 0, sector 1, inclusion_proofs[0].root",
                                      "1/7 " + (belfry.dir() / "v7").string() +
                                          " partition 1, sector 7, inclusion_proofs[0].root"}));
  // For people a line each.
  std::erase(arguments, "--json");
  const RunResult lines = belfry.run(arguments);
  EXPECT_TRUE(lines.out.empty());
  EXPECT_NE(lines.err.find("\nalso refused: "), std::string::npos) << lines.err;
  EXPECT_NE(lines.err.find("partition 1, sector 7"), std::string::npos) << lines.err;
}

TEST(ProvePost, WindowOfThreeSectorsEndsInTheRecordedBytes) {
  const Belfry belfry;
  const std::string params = (belfry.dir() / "params").string();
  ASSERT_EQ(belfry
                .run({"setup", "window-2KiB", "--test-trapdoor",
                      vector_path("trapdoor.json").string(), "--out", params, "--json"})
                .code,
            0);
  Arguments arguments = kWindow.common("prove");
  arguments.insert(arguments.end(),
                   {"--test-randomness", vector_path("trapdoor.json").string(), "--backend", "cpu",
                    "--out", (belfry.dir() / "proof.bin").string()});
  const RunResult run = belfry.run(kWindow.prove(arguments));
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  const Answer answer(run);
  EXPECT_EQ(std::uint64_t(answer.root()["partitions"]), 2U);
  EXPECT_TRUE(bool(answer.root()["verified"]));
  EXPECT_TRUE(bool(answer.root()["test_randomness"]));
  EXPECT_EQ(Belfry::read(belfry.dir() / "proof.bin"), Belfry::read(kWindow.file("proof.bin")));
}

}  // namespace
}  // namespace belfry::test
