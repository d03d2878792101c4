// Every file that a command reads: where it is missing or damaged, the error names it.
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

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// Stands in the arguments where the path of the file belongs.
const std::string kFile = "@";
/// Where a command would write what it makes.
const std::string kResult = "@result";

/// A command that reads one file, which is tried missing and with other contents.
struct Reading {
  std::string name;
  Arguments arguments;
};

std::string recorded(const std::string& file) { return vector_path(file).string(); }

/// Arguments of a command that reads keys from the recorded folder.
Arguments with_recorded_keys(Arguments arguments) {
  arguments.insert(arguments.end(), {"--params", recorded("parameters")});
  return arguments;
}

std::vector<Reading> readings() {
  const std::string a_node = repeated("01");
  const Arguments porep{"--miner", "1000", "--sector", "1"};
  const Arguments post{"--miner", "1000", "--randomness", a_node, "--proof-type"};
  const Arguments update{"--comm-r-old", a_node, "--comm-r-new", a_node,
                         "--comm-d-new", a_node, "--proof-type", "StackedDrg2KiBV1"};
  const auto join = [](Arguments first, const Arguments& second, const Arguments& third = {}) {
    first.insert(first.end(), second.begin(), second.end());
    first.insert(first.end(), third.begin(), third.end());
    return first;
  };
  const std::string winning = "StackedDrgWinning2KiBV1";
  const std::string window = "StackedDrgWindow2KiBV1_2";
  return {
      {"prove porep --c1", join({"prove", "porep", "--c1", kFile}, porep)},
      {"prove porep --test-randomness", join({"prove", "porep", "--test-randomness", kFile, "--c1",
                                              recorded("porep-2kib-v1_1/c1.json")},
                                             porep)},
      {"prove winning", join({"prove", "winning", "--vanilla", kFile}, post, {winning})},
      {"prove window", join({"prove", "window", "--vanilla", kFile}, post, {window})},
      {"prove update", join({"prove", "update", "--vanilla", kFile}, update)},
      {"verify porep",
       with_recorded_keys(
           join({"verify", "porep", "--proof", kFile, "--proof-type", "StackedDrg2KiBV1_1",
                 "--comm-r", a_node, "--comm-d", a_node, "--ticket", a_node, "--seed", a_node},
                porep))},
      {"verify winning", with_recorded_keys(join({"verify", "winning", "--proof", kFile}, post,
                                                 {winning, "--sector", "1=" + a_node}))},
      {"verify window", with_recorded_keys(join({"verify", "window", "--proof", kFile}, post,
                                                {window, "--sector", "1=" + a_node}))},
      {"verify update", with_recorded_keys(join({"verify", "update", "--proof", kFile}, update))},
      {"aggregate --proof", with_recorded_keys({"aggregate", "--proof", kFile, "--c1",
                                                recorded("porep-2kib-v1_1/c1.json"),
                                                "--aggregation", "SnarkPackV2", "--out", kResult})},
      {"aggregate --c1",
       with_recorded_keys({"aggregate", "--proof", recorded("porep-2kib-v1_1/proof.bin"), "--c1",
                           kFile, "--aggregation", "SnarkPackV2", "--out", kResult})},
      {"the aggregate",
       with_recorded_keys({"verify", "aggregate", "--proof", kFile, "--proof-type",
                           "StackedDrg2KiBV1_1", "--aggregation", "SnarkPackV2", "--miner", "1000",
                           "--sector", "1=" + a_node + "," + a_node + "," + a_node + "," + a_node,
                           "2=" + a_node + "," + a_node + "," + a_node + "," + a_node})},
      {"--srs",
       {"verify", "aggregate", "--srs", kFile, "--proof",
        recorded("aggregate-2kib-3sectors/aggregate-v2.bin"), "--proof-type", "StackedDrg2KiBV1_1",
        "--aggregation", "SnarkPackV2", "--miner", "1000", "--sector",
        "1=" + a_node + "," + a_node + "," + a_node + "," + a_node,
        "2=" + a_node + "," + a_node + "," + a_node + "," + a_node, "--params",
        recorded("parameters")}},
      {"setup --test-trapdoor",
       {"setup", "winning-2KiB", "--test-trapdoor", kFile, "--out", kResult}},
      {"--config", {"circuit", "list", "--config", kFile}},
  };
}

Arguments on_file(Arguments arguments, const std::string& file) {
  std::replace(arguments.begin(), arguments.end(), kFile, file);
  std::replace(arguments.begin(), arguments.end(), kResult, file + ".result");
  arguments.emplace_back("--json");
  return arguments;
}

TEST(BadFiles, AMissingOneIsNamed) {
  const Belfry belfry;
  const std::string file = (belfry.dir() / "missing").string();
  for (const Reading& reading : readings()) {
    const RunResult run = belfry.run(on_file(reading.arguments, file));
    EXPECT_EQ(run.code, 3) << reading.name;
    const Answer answer(run);
    EXPECT_EQ(answer.error("kind"), "not_found") << reading.name << run.out;
    EXPECT_EQ(answer.error("file"), file) << reading.name << run.out;
  }
}

TEST(BadFiles, ADamagedOneIsNamed) {
  const Belfry belfry;
  for (const Reading& reading : readings()) {
    for (const std::string& content : {std::string("x"), std::string(191, '\xff')}) {
      const std::string file = belfry.put("damaged", content);
      const RunResult run = belfry.run(on_file(reading.arguments, file));
      EXPECT_EQ(run.code, 3) << reading.name;
      const Answer answer(run);
      EXPECT_EQ(answer.error("kind"), "invalid_input") << reading.name << run.out;
      EXPECT_EQ(answer.error("file"), file) << reading.name << run.out;
      EXPECT_FALSE(answer.error("message").empty()) << reading.name;
    }
    // The same in words.
    Arguments in_words = on_file(reading.arguments, belfry.put("damaged", "x"));
    in_words.pop_back();
    EXPECT_NE(belfry.run(in_words).err.find((belfry.dir() / "damaged").string()), std::string::npos)
        << reading.name;
  }
}

/// What a proof file should hold, and where it does not.
TEST(BadFiles, AProofTellsOffsetExpectedAndFound) {
  const Belfry belfry;
  const std::string proof = Belfry::read(recorded("porep-2kib-v1_1/proof.bin"));
  std::string flipped = proof;
  flipped[0] = static_cast<char>(flipped[0] ^ 1);
  std::string bad_b = proof;
  bad_b[48] = static_cast<char>(bad_b[48] & 0x7f);
  struct Case {
    std::string content;
    std::uint64_t offset;
    std::string section;
  };
  const Case cases[] = {{"", 0, "file"},
                        {proof.substr(0, 191), 191, "file"},
                        {proof + "x", 192, "file"},
                        {proof + proof, 192, "file"},
                        {std::string((1U << 20U) + 1, 'x'), 1U << 20U, "file"},
                        {flipped, 0, "proof 0, A"},
                        {bad_b, 48, "proof 0, B"}};
  for (const Reading& reading : readings()) {
    if (!reading.name.starts_with("verify")) continue;
    for (const Case& sample : cases) {
      const std::string file = belfry.put("proof", sample.content);
      const Answer answer(belfry.run(on_file(reading.arguments, file)));
      const std::string context = reading.name + ", " + std::to_string(sample.content.size());
      EXPECT_EQ(answer.error("file"), file) << context;
      EXPECT_EQ(answer.error("section"), sample.section) << context;
      EXPECT_FALSE(answer.error("expected").empty()) << context;
      EXPECT_FALSE(answer.error("found").empty()) << context;
      std::uint64_t offset = 0;
      EXPECT_EQ(answer.root()["error"]["offset"].get(offset), simdjson::SUCCESS) << context;
      EXPECT_EQ(offset, sample.offset) << context;
    }
  }
}

TEST(BadFiles, AKeyOfTheParametersIsNamed) {
  const Belfry belfry;
  fs::create_directories(belfry.dir() / "params");
  for (const auto& entry : fs::directory_iterator(recorded("parameters"))) {
    if (entry.path().extension() == ".vk") {
      (void)belfry.put("params/" + entry.path().filename().string(), "x");
    }
  }
  const std::string proof = recorded("porep-2kib-v1_1/proof.bin");
  for (const Reading& reading : readings()) {
    if (!reading.name.starts_with("verify")) continue;
    Arguments arguments = on_file(reading.arguments, proof);
    std::replace(arguments.begin(), arguments.end(), recorded("parameters"),
                 (belfry.dir() / "params").string());
    const Answer answer(belfry.run(arguments));
    EXPECT_TRUE(answer.error("file").starts_with((belfry.dir() / "params/v28").string()))
        << reading.name << answer.error("file");
    EXPECT_TRUE(answer.error("file").ends_with(".vk")) << reading.name;
  }
}

/// A sealed sector, its update, and the commands that read them.
class BadSectorFiles : public testing::Test {
 protected:
  void SetUp() override {
    const Arguments seal{"seal",
                         "--proof-type",
                         "StackedDrg2KiBV1_1",
                         "--miner",
                         "f01000",
                         "--sector",
                         "1",
                         "--ticket",
                         repeated("01"),
                         "--data",
                         belfry_.put("data", piece(0)),
                         "--out",
                         path("sector")};
    ASSERT_EQ(belfry_.run(seal).code, 0);
    ASSERT_EQ(belfry_.run(update()).code, 0);
    fs::rename(path("target"), path("updated"));
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (belfry_.dir() / name).string();
  }
  [[nodiscard]] Arguments update() const {
    return {"update", "--dir", path("sector"), "--data", path("data"), "--out", path("target")};
  }
  [[nodiscard]] Arguments c1() const {
    return {"c1", "--dir", path("sector"), "--seed", repeated("02"), "--out", path("target")};
  }
  [[nodiscard]] Arguments window() const {
    return {"vanilla",      "window",       "--dir",        path("sector"),
            "--randomness", repeated("03"), "--proof-type", "StackedDrgWindow2KiBV1_2",
            "--out",        path("target")};
  }
  [[nodiscard]] Arguments vanilla_update() const {
    return {"vanilla", "update",        "--old", path("sector"),
            "--new",   path("updated"), "--out", path("target")};
  }

  /// Halves a file, then removes it: the command must name it.
  void expect_named(Arguments arguments, const std::string& file) {
    arguments.emplace_back("--json");
    const std::string whole = Belfry::read(belfry_.dir() / file);
    ASSERT_FALSE(whole.empty()) << file;
    (void)belfry_.put(file, whole.substr(0, whole.size() / 2));
    expect_error(arguments, file, "invalid_input");
    fs::remove(path(file));
    expect_error(arguments, file, "not_found");
    (void)belfry_.put(file, whole);
  }
  void expect_error(const Arguments& arguments, const std::string& file,
                    const std::string& kind) const {
    const RunResult run = belfry_.run(arguments);
    const std::string context = arguments[0] + " " + arguments[1] + ", " + file + ": " + run.out;
    EXPECT_EQ(run.code, 3) << context;
    const Answer answer(run);
    EXPECT_EQ(answer.error("kind"), kind) << context;
    EXPECT_EQ(answer.error("file"), path(file)) << context;
  }

  Belfry belfry_;
};

TEST_F(BadSectorFiles, AreNamed) {
  for (const std::string file :
       {"sector/cache/p_aux", "sector/cache/sc-02-data-layer-1.dat",
        "sector/cache/sc-02-data-layer-2.dat", "sector/cache/sc-02-data-tree-d.dat",
        "sector/cache/sc-02-data-tree-c.dat", "sector/cache/sc-02-data-tree-r-last.dat"}) {
    expect_named(c1(), file);
  }
  for (const std::string file : {"sector/cache/p_aux", "sector/cache/sc-02-data-tree-r-last.dat"}) {
    expect_named(window(), file);
  }
  for (const std::string file : {"sector/sealed", "sector/cache/p_aux"}) {
    expect_named(update(), file);
  }
  for (const std::string file :
       {"sector/sealed", "updated/sealed", "updated/cache/sc-02-data-tree-d.dat",
        "updated/cache/sc-02-data-tree-r-last.dat", "sector/cache/sc-02-data-tree-r-last.dat"}) {
    expect_named(vanilla_update(), file);
  }
}

TEST_F(BadSectorFiles, DataThatIsMissingOrTooLongIsNamed) {
  fs::remove_all(path("target"));
  Arguments arguments = update();
  arguments.emplace_back("--json");
  (void)belfry_.put("data", std::string(2033, 'x'));
  expect_error(arguments, "data", "invalid_input");
  fs::remove(path("data"));
  expect_error(arguments, "data", "not_found");
}

}  // namespace
}  // namespace belfry::test
