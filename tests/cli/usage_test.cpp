// Contract of cli.md: help, exit codes and the shape of failures.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/run_belfry.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

using Arguments = std::vector<std::string>;

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The first words of the lines under "Subcommands:".
std::vector<std::string> subcommands_of(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  std::string line;
  while (std::getline(lines, line) && line != "Subcommands:") {
  }
  while (std::getline(lines, line) && line.starts_with("  ")) {
    const std::size_t end = line.find(' ', 2);
    // A long text goes on in lines of its own, further right.
    if (end != 2) names.push_back(line.substr(2, end - 2));
  }
  return names;
}

TEST(Help, EveryLevelHasItWithOneExample) {
  constexpr std::size_t kLevels = 30;  // at least
  const Belfry belfry;
  std::vector<Arguments> levels{{}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Arguments level = levels[i];
    const RunResult run = belfry.run(with(level, {"--help"}));
    EXPECT_EQ(run.code, 0) << testing::PrintToString(level);
    EXPECT_EQ(run.err, "") << testing::PrintToString(level);
    const std::size_t example = run.out.find("Example:\n  belfry");
    EXPECT_NE(example, std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("Example:", example + 1), std::string::npos) << run.out;
    // All of them stand at the top; below, one line says so.
    for (const char* const common : {"--params", "--backend", "--json"}) {
      EXPECT_NE(run.out.find(common), std::string::npos) << run.out;
    }
    for (const std::string& name : subcommands_of(run.out)) levels.push_back(with(level, {name}));
  }
  EXPECT_GE(levels.size(), kLevels);
}

TEST(Help, ShowsNoInnerTypesAndNoNeedsOfWhatIsRequired) {
  const Belfry belfry;
  const std::vector<Arguments> commands{{"seal"},
                                        {"setup"},
                                        {"bench", "kernels"},
                                        {"circuit", "digest"},
                                        {"params", "check"},
                                        {"params", "derive"}};
  for (const Arguments& command : commands) {
    const std::string help = belfry.run(with(command, {"--help"})).out;
    for (const char* const ugly : {" TEXT", "UINT", "REQUIRED Needs"}) {
      EXPECT_EQ(help.find(ugly), std::string::npos) << help;
    }
  }
  EXPECT_NE(belfry.run({"bench", "ntt", "--help"}).out.find("1 to 1000"), std::string::npos);
}

TEST(Help, VersionIsTold) {
  const RunResult run = Belfry().run({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.out.starts_with("belfry ")) << run.out;
}

TEST(Usage, MistakesAreExitCodeTwoAndJsonSaysTheSame) {
  const Belfry belfry;
  const std::string zeros(64, '0');
  const std::vector<Arguments> mistakes{
      {},
      {"prove"},
      {"proof"},
      {"prove", "porep"},
      {"circuit", "list", "--what"},
      {"circuit", "list", "extra"},
      {"circuit", "list", "--backend", "gpu"},
      {"circuit", "list", "--threads", "many"},
      {"circuit", "list", "--memory-budget", "16"},
      {"circuit", "list", "--log-level", "loud"},
      {"circuit", "list", "--log-format", "xml"},
      {"circuit", "list", "--backend", "cpu", "--vram-budget", "1GiB"},
      {"params", "check"},
      {"params", "derive"},
      {"params", "check", "porep-2KiB", "--file", "x"},
      {"params", "check", "--circuit", "porep-2KiB"},
      {"prove", "porep", "--c1", "x", "--miner", "m01000", "--sector", "1"},
      {"prove", "porep", "--c1", "x", "--miner", "1000", "--sector", "-1"},
      {"verify", "porep", "--proof", "x", "--proof-type", "StackedDrg2KiBV1_1", "--comm-r", "00",
       "--comm-d", zeros, "--miner", "1", "--sector", "1", "--ticket", zeros, "--seed", zeros},
      {"bench", "ntt", "--log-size", "99"}};
  for (const Arguments& mistake : mistakes) {
    const RunResult text = belfry.run(mistake);
    EXPECT_EQ(text.code, 2) << testing::PrintToString(mistake) << text.err;
    EXPECT_EQ(text.out, "") << testing::PrintToString(mistake);
    EXPECT_TRUE(text.err.starts_with("belfry: ")) << text.err;
    const RunResult json = belfry.run(with(mistake, {"--json"}));
    EXPECT_EQ(json.code, 2) << testing::PrintToString(mistake);
    const Answer answer(json);
    EXPECT_FALSE(answer.ok());
    EXPECT_EQ(answer.error("kind"), "invalid_usage") << json.out;
    EXPECT_FALSE(answer.error("message").empty()) << json.out;
  }
}

TEST(Usage, AMissingOptionIsNamedWithAHint) {
  const Answer answer(Belfry().run({"prove", "porep", "--json"}));
  EXPECT_NE(answer.error("message").find("--c1"), std::string::npos);
  EXPECT_EQ(answer.error("hint"), "See belfry prove porep --help");
}

TEST(Usage, ABadValueIsToldByItsFlag) {
  const Answer answer(Belfry().run({"circuit", "list", "--json", "--memory-budget", "16"}));
  EXPECT_EQ(answer.error("section"), "--memory-budget");
}

TEST(Usage, AnUnknownCircuitHasAHint) {
  const Answer answer(Belfry().run({"params", "check", "--json", "porep-3KiB"}));
  EXPECT_EQ(answer.error("message"), "unknown circuit");
  EXPECT_EQ(answer.error("hint"), "belfry circuit list prints all names");
}

TEST(Usage, TheWordThatNamesNothingIsTold) {
  struct Mistake {
    Arguments arguments;
    std::string message;
    std::string expected;  // is among what was expected
    std::string found;
    std::string hint;
  };
  const std::vector<Mistake> mistakes{
      {{"frobnicate"}, "no such command", "prove, verify", "frobnicate", "See belfry --help"},
      {{"prove", "proep", "--miner", "1"},
       "no such command",
       "porep, winning, window, update",
       "proep",
       "See belfry prove --help"},
      {{"frobnicate", "--help"}, "no such command", "doctor", "frobnicate", "See belfry --help"},
      {{"prove"}, "no command given", "porep, winning", "", "See belfry prove --help"},
      // Not the value behind it, and before the options that are missing.
      {{"prove", "porep", "--mineer", "1000"},
       "no such option",
       "",
       "--mineer",
       "See belfry prove porep --help"},
      {{"circuit", "list", "more"},
       "an argument too many",
       "",
       "more",
       "See belfry circuit list --help"}};
  for (const Mistake& mistake : mistakes) {
    const RunResult run = Belfry().run(with(mistake.arguments, {"--json"}));
    EXPECT_EQ(run.code, 2) << run.out;
    const Answer answer(run);
    EXPECT_EQ(answer.error("message"), mistake.message);
    EXPECT_NE(answer.error("expected").find(mistake.expected), std::string::npos) << run.out;
    EXPECT_EQ(answer.error("found"), mistake.found);
    EXPECT_EQ(answer.error("hint"), mistake.hint);
  }
}

TEST(Usage, HexIsWrittenWithoutAPrefix) {
  const std::string digits(64, '1');
  const Arguments command{"c1", "--dir", "none", "--out", "x", "--json", "--seed"};
  const Answer prefixed(Belfry().run(with(command, {"0x" + digits})));
  EXPECT_EQ(prefixed.error("kind"), "invalid_usage");
  EXPECT_EQ(prefixed.error("hint"), "Leave out the 0x");
  EXPECT_EQ(Answer(Belfry().run(with(command, {"12"}))).error("hint"), "");
}

TEST(BadInput, MissingFilesAreExitCodeThree) {
  const Belfry belfry;
  const std::string zeros(64, '0');
  const std::vector<Arguments> missing{
      {"prove", "porep", "--c1", "none.json", "--miner", "1000", "--sector", "1"},
      {"verify", "porep", "--proof", "none.bin", "--proof-type", "StackedDrg2KiBV1_1", "--comm-r",
       zeros, "--comm-d", zeros, "--miner", "1", "--sector", "1", "--ticket", zeros, "--seed",
       zeros},
      {"params", "check", "--file", "none.params"},
      {"setup", "porep-2KiB", "--test-trapdoor", "none.json", "--out", "x"},
      {"circuit", "list", "--config", "none.toml"}};
  for (const Arguments& arguments : missing) {
    const RunResult run = belfry.run(with(arguments, {"--json"}));
    EXPECT_EQ(run.code, 3) << testing::PrintToString(arguments) << run.out;
    const Answer answer(run);
    EXPECT_EQ(answer.error("kind"), "not_found");
    EXPECT_TRUE(answer.error("file").starts_with("none.")) << run.out;
  }
}

TEST(BadInput, UnknownNamesAreExitCodeThree) {
  const Belfry belfry;
  for (const Arguments& arguments :
       {Arguments{"circuit", "digest", "porep-3KiB"}, Arguments{"circuit", "extract", "nothing"},
        Arguments{"setup", "porep-3GiB", "--out", "x"}}) {
    const RunResult run = belfry.run(with(arguments, {"--json"}));
    EXPECT_EQ(run.code, 3) << testing::PrintToString(arguments) << run.out;
    EXPECT_EQ(Answer(run).error("kind"), "not_found") << run.out;
  }
}

TEST(BadInput, ParametersThatAreNotThereComeWithAHint) {
  const Belfry belfry;
  const RunResult run = belfry.run({"params", "check", "porep-32GiB", "--json"});
  EXPECT_EQ(run.code, 3) << run.out;
  const Answer answer(run);
  EXPECT_EQ(answer.error("kind"), "not_found");
  EXPECT_EQ(answer.error("message"), "can not open: No such file or directory");
  EXPECT_TRUE(answer.error("hint").starts_with("Copy the file of porep-32GiB into the folder"))
      << run.out;
  EXPECT_NE(answer.error("hint").find("curio fetch-params 32GiB "), std::string::npos) << run.out;
  // Of a size without published parameters nobody fetches any.
  const std::string unpublished =
      Answer(belfry.run({"params", "check", "porep-4KiB", "--json"})).error("hint");
  EXPECT_TRUE(unpublished.starts_with("Copy the file of porep-4KiB into the folder"));
  EXPECT_NE(unpublished.find("none is published"), std::string::npos) << unpublished;
  EXPECT_EQ(unpublished.find("fetch-params"), std::string::npos) << unpublished;
  // A file that was named has nothing to do with that folder.
  const Arguments named{"params",    "check",       "--file", "none.params",
                        "--circuit", "porep-32GiB", "--json"};
  EXPECT_EQ(Answer(belfry.run(named)).error("hint"), "");
}

TEST(Setup, OnTheGpuWithoutACardIsRefusedBeforeAnythingIsMade) {
  const Belfry belfry;
  const auto out = belfry.dir() / "made";
  const RunResult run =
      belfry.run({"setup", "winning-2KiB", "--out", out.string(), "--backend", "cuda", "--json"});
  const Answer answer(run);
  if (answer.ok()) {
    EXPECT_EQ(std::string_view(answer.root()["backend"]), "cuda") << run.out;
    return;
  }
  EXPECT_EQ(run.code, 5) << run.out;
  EXPECT_EQ(answer.error("kind"), "backend_failed");
  EXPECT_TRUE(answer.error("hint").starts_with("Use --backend cpu or auto")) << run.out;
  EXPECT_TRUE(std::filesystem::is_empty(out));
}

TEST(Setup, OfACircuitThatThisVersionLacksIsRefusedBeforeAnythingIsSaid) {
  const Belfry belfry;
  const auto out = belfry.dir() / "made";
  const RunResult run =
      belfry.run({"setup", "update-poseidon-32GiB", "--out", out.string(), "--json"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(Answer(run).error("message"), "this version lacks the circuit");
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(std::filesystem::is_empty(out));
}

TEST(Config, FlagsWinOverTheFileAndUnknownKeysAreRefused) {
  const Belfry belfry;
  const std::string good = belfry.put("good.toml", "threads = 2\nbackend = \"cpu\"\n");
  const RunResult run = belfry.run({"doctor", "--json", "--config", good, "--threads", "3"});
  EXPECT_NE(run.out.find("threads=3"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("backend=cpu"), std::string::npos) << run.out;
  const std::string bad = belfry.put("bad.toml", "threads = 2\nthreds = 3\n");
  const RunResult refused = belfry.run({"doctor", "--json", "--config", bad});
  EXPECT_EQ(refused.code, 3);
  const Answer answer(refused);
  EXPECT_EQ(answer.error("kind"), "invalid_input");
  EXPECT_EQ(answer.error("file"), bad);
  EXPECT_EQ(answer.error("section"), "threds");
  EXPECT_EQ(answer.error("found"), "line 2");
}

TEST(Config, TheEnvironmentNamesParametersAndCache) {
  const Belfry belfry;
  const RunResult run = belfry.run({"doctor", "--json"});
  EXPECT_NE(run.out.find("params=" + (belfry.dir() / "params").string()), std::string::npos);
  EXPECT_NE(run.out.find("cache=" + (belfry.dir() / "belfry").string()), std::string::npos);
}

TEST(Exhausted, AFullDiskIsExitCodeFour) {
  const Belfry belfry;
  const RunResult run = belfry.run({"circuit", "extract", "porep-2KiB", "--json", "--out",
                                    (belfry.dir() / "out.shape").string()},
                                   {.stdout_file = "", .file_size_limit = 4096});
  EXPECT_EQ(run.code, 4) << run.err;
  EXPECT_EQ(Answer(run).error("kind"), "resource_exhausted") << run.out;
  EXPECT_FALSE(std::filesystem::exists(belfry.dir() / "out.shape"));
}

TEST(Exhausted, AResultThatCanNotBeWrittenIsExitCodeFour) {
  const RunResult run = Belfry().run({"circuit", "list"}, {.stdout_file = "/dev/full"});
  EXPECT_EQ(run.code, 4);
}

TEST(Cancel, AnInterruptEndsLongWorkBetweenStages) {
  const Belfry belfry;
  const RunResult run =
      belfry.run({"bench", "ntt", "--log-size", "12", "--runs", "20", "--json", "--trace",
                  (belfry.dir() / "trace.json").string()},
                 {.stdout_file = "", .interrupt_after = std::chrono::milliseconds(0)});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_TRUE(std::filesystem::exists(belfry.dir() / "trace.json"));
  const RunResult stopped =
      belfry.run({"bench", "ntt", "--log-size", "18", "--runs", "1000", "--json"},
                 {.stdout_file = "", .interrupt_after = std::chrono::milliseconds(500)});
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_EQ(Answer(stopped).error("kind"), "cancelled");
}

TEST(Bench, AScratchFileIsForTheGpuAndNothingIsOverwritten) {
  const Belfry belfry;
  const std::string path = (belfry.dir() / "mine").string();
  std::ofstream(path) << "of somebody";
  const auto refused = [&](const Arguments& arguments) {
    const RunResult run = belfry.run(with(arguments, {"--scratch-file", path, "--json"}));
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_EQ(Answer(run).error("kind"), "invalid_usage") << run.out;
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "of somebody");
  };
  // The circuit is large: what is not refused before any work would take minutes.
  refused({"bench", "proof", "porep-32GiB", "--backend", "cpu"});
  refused({"bench", "proof", "porep-32GiB", "--backend", "cuda"});
  refused({"bench", "partition", "porep-32GiB"});
}

TEST(Bench, ASmallC1IsToldWithLittleMemory) {
  const RunResult run =
      Belfry().run({"bench", "c1", "--c1", vector_path("porep-2kib-v1_1/c1.json").string(),
                    "--runs", "1", "--json"});
  ASSERT_EQ(run.code, 0) << run.out;
  const Answer answer(run);
  // Not every kernel tells it (MemoryRise).
  if (answer.root()["work_memory_bytes"].error() != simdjson::SUCCESS) return;
  EXPECT_LT(std::uint64_t{answer.root()["work_memory_bytes"]}, 48U << 20U);
}

TEST(Bench, AWitnessIsToldWithItsOwnMemory) {
  const RunResult run =
      Belfry().run({"bench", "witness", "winning-2KiB", "--threads", "1", "--json"});
  ASSERT_EQ(run.code, 0) << run.out;
  const Answer answer(run);
  // Not every kernel tells it (MemoryRise).
  if (answer.root()["work_memory_bytes"].error() != simdjson::SUCCESS) return;
  // 91,674 field elements of 32 bytes, and pages around them.
  EXPECT_GT(std::uint64_t{answer.root()["work_memory_bytes"]}, 91'674U * 32);
  EXPECT_LT(std::uint64_t{answer.root()["work_memory_bytes"]}, 32U << 20U);
  EXPECT_GT(std::uint64_t{answer.root()["peak_memory_bytes"]},
            std::uint64_t{answer.root()["work_memory_bytes"]});
}

TEST(Logs, JsonLinesGoToStderrAndQuietSilencesThem) {
  const Belfry belfry;
  const Arguments command{"circuit", "extract", "porep-2KiB", "--log-format", "json"};
  const RunResult run = belfry.run(command);
  EXPECT_EQ(run.code, 0) << run.err;
  simdjson::dom::parser parser;
  const simdjson::padded_string lines(run.err);
  std::size_t count = 0;
  for (const auto line : parser.parse_many(lines)) {
    EXPECT_FALSE(std::string_view(line["message"]).empty());
    ++count;
  }
  EXPECT_GE(count, 1U) << run.err;
  EXPECT_EQ(belfry.run(with(command, {"--quiet"})).err, "");
}

}  // namespace
}  // namespace belfry::test
