// Output paths: tried before the work, two never one and the same, and no proof is lost with them.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/cli/proof_output.h"
#include "cli/run_belfry.h"
#include "cli/sector_arguments.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// A file where a folder is needed, so that nothing can be written below it.
std::string blocked(const Belfry& belfry) { return belfry.put("file", "x") + "/result"; }

std::string path_of(const Belfry& belfry, const std::string& name) {
  return (belfry.dir() / name).string();
}

Arguments prove_porep() {
  return {"prove",   "porep", "--json",   "--c1", vector_path("porep-2kib-v1_1/c1.json").string(),
          "--miner", "1000",  "--sector", "1",    "--backend",
          "cpu"};
}

/// Every command of these lacks its parameters, SRS or sector, which it would name after the
/// path of its output.
std::vector<Arguments> commands() {
  const std::string zeros(64, '0');
  return {prove_porep(),
          {"prove", "winning", "--json", "--vanilla", "none.bin", "--randomness", zeros, "--miner",
           "1", "--proof-type", "StackedDrgWinning2KiBV1"},
          {"prove", "window", "--json", "--vanilla", "none.bin", "--randomness", zeros, "--miner",
           "1", "--proof-type", "StackedDrgWindow2KiBV1_2"},
          {"prove", "update", "--json", "--vanilla", "none.bin", "--comm-r-old", zeros,
           "--comm-r-new", zeros, "--comm-d-new", zeros, "--proof-type", "StackedDrg2KiBV1"},
          {"aggregate", "--json", "--proof", "none.bin", "--c1", "none.json", "--aggregation",
           "SnarkPackV2"},
          {"c1", "--json", "--dir", "none", "--seed", zeros, "--proof-type", "StackedDrg2KiBV1_1",
           "--miner", "1", "--sector", "1", "--ticket", zeros}};
}

TEST(OutputPaths, AreTriedBeforeTheWork) {
  const Belfry belfry;
  const std::string out = blocked(belfry);
  for (const Arguments& command : commands()) {
    const RunResult run = belfry.run(with(command, {"--out", out}));
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_EQ(Answer(run).error("file"), out) << run.out;
    EXPECT_EQ(Answer(run).error("section"), "--out") << run.out;
  }
  const std::string good = path_of(belfry, "proof.bin");
  const RunResult side =
      belfry.run(with(prove_porep(), {"--out", good, "--partition-proofs", out}));
  EXPECT_EQ(side.code, 3);
  EXPECT_EQ(Answer(side).error("section"), "--partition-proofs") << side.out;
  EXPECT_FALSE(fs::exists(good));
  const RunResult trace = belfry.run({"circuit", "list", "--json", "--trace", out});
  EXPECT_EQ(trace.code, 3);
  EXPECT_EQ(Answer(trace).error("section"), "--trace") << trace.out;
  // The result of this one would have been told by a log line of the extraction.
  const RunResult shape = belfry.run(
      {"circuit", "extract", "porep-2KiB", "--json", "--log-level", "info", "--out", out});
  EXPECT_EQ(shape.code, 3);
  EXPECT_EQ(shape.err, "") << "nothing was extracted";
}

TEST(OutputPaths, OfFoldersAreTriedBeforeTheWork) {
  const Belfry belfry;
  const std::string out = blocked(belfry);
  const std::string sector = path_of(belfry, "sector");
  const Arguments seal{"seal",         "--json",
                       "--data",       belfry.put("data", piece(0)),
                       "--miner",      "1",
                       "--sector",     "1",
                       "--ticket",     repeated("01"),
                       "--proof-type", "StackedDrg2KiBV1_1"};
  ASSERT_EQ(belfry.run(with(seal, {"--out", sector})).code, 0);
  const Arguments folders[] = {
      seal,
      {"setup", "porep-2KiB", "--json", "--log-level", "off"},
      {"update", "--json", "--dir", sector, "--data", path_of(belfry, "data")},
      {"vanilla", "update", "--json", "--old", sector, "--new", path_of(belfry, "none")}};
  for (const Arguments& command : folders) {
    const RunResult run = belfry.run(with(command, {"--out", out}));
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_TRUE(out.starts_with(Answer(run).error("file"))) << run.out;
  }
}

TEST(OutputPaths, OfAFolderIsNoFile) {
  const Belfry belfry;
  const std::string out = path_of(belfry, "folder");
  fs::create_directory(out);
  const RunResult run = belfry.run(with(prove_porep(), {"--out", out}));
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(Answer(run).error("message"), "a folder, not a file") << run.out;
}

TEST(OutputPaths, ThatAreEqualAreWrongUsage) {
  const Belfry belfry;
  const std::string out = path_of(belfry, "proof.bin");
  fs::create_directory(path_of(belfry, "real"));
  fs::create_directory_symlink(path_of(belfry, "real"), path_of(belfry, "link"));
  const std::pair<Arguments, std::string> twice[] = {
      {{"--out", out, "--partition-proofs", out}, "--partition-proofs"},
      {{"--out", out, "--partition-proofs", path_of(belfry, "real/../proof.bin")},
       "--partition-proofs"},
      {{"--out", path_of(belfry, "real/p"), "--partition-proofs", path_of(belfry, "link/p")},
       "--partition-proofs"},
      {{"--out", out, "--trace", out}, "--out"}};
  for (const auto& [options, named] : twice) {
    const RunResult run = belfry.run(with(prove_porep(), options));
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_EQ(Answer(run).error("section"), named) << run.out;
  }
  // Nothing is left of what was opened, and another name passes on to what is missing next.
  EXPECT_EQ(std::distance(fs::directory_iterator(belfry.dir().path()), {}), 4)
      << "out, err, real, link";
  const RunResult run = belfry.run(
      with(prove_porep(), {"--out", out, "--partition-proofs", path_of(belfry, "parts.bin")}));
  EXPECT_TRUE(Answer(run).error("file").ends_with(".params")) << run.out;
}

TEST(DeliverProof, TellsTheProofThatItCanNotWrite) {
  const TempDir dir;
  const cli::ProofOutputOptions options{.out = (dir / "proof.bin").string(), .test_randomness = ""};
  auto file = cli::ResultFile::open({"--out", options.out});
  ASSERT_TRUE(file);
  fs::create_directory(options.out);  // so that the file can not get its name
  engine::VerifiedProof proof;
  proof.proof = read_vector("porep-2kib-v1_1/proof.bin");
  const auto outcome = cli::deliver_proof(proof, std::move(*file), options);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().describe().find(to_hex(proof.proof)), std::string::npos);
}

TEST(DeliverProof, WritesItAndLeavesNothingElse) {
  const TempDir dir;
  const cli::ProofOutputOptions options{.out = (dir / "proof.bin").string(), .test_randomness = ""};
  auto file = cli::ResultFile::open({"--out", options.out});
  ASSERT_TRUE(file);
  EXPECT_FALSE(fs::exists(options.out)) << "before it is written";
  engine::VerifiedProof proof;
  proof.proof = {1, 2, 3};
  ASSERT_TRUE(cli::deliver_proof(proof, std::move(*file), options));
  EXPECT_EQ(Belfry::read(options.out), "\x01\x02\x03");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1);
}

}  // namespace
}  // namespace belfry::test
