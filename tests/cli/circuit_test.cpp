#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/hash/sha256.h"
#include "cli/run_belfry.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

TEST(CircuitList, HasEverySizeWithItsNumbers) {
  const Answer answer(Belfry().run({"circuit", "list", "--json"}));
  EXPECT_TRUE(answer.ok());
  std::set<std::string> names;
  for (const simdjson::dom::element circuit : answer.root()["circuits"]) {
    names.insert(text(circuit["name"]));
    const std::uint64_t rows =
        std::uint64_t(circuit["constraints"]) + std::uint64_t(circuit["inputs"]);
    const std::uint64_t domain = std::uint64_t{1} << std::uint64_t(circuit["domain_log2"]);
    EXPECT_GE(domain, rows);
    EXPECT_LT(domain / 2, rows);
    EXPECT_TRUE(text(circuit["params_file"]).ends_with(".params"));
    EXPECT_GT(std::uint64_t(circuit["aux"]), 0U);
  }
  for (const char* size : {"2KiB", "4KiB", "16KiB", "32KiB", "8MiB", "512MiB", "32GiB", "64GiB"}) {
    for (const char* family : {"porep-", "winning-", "window-"}) {
      EXPECT_TRUE(names.contains(std::string(family) + size)) << family << size;
    }
  }
}

TEST(CircuitList, The32GibCircuitIsTheOneOfTheSpecification) {
  const Answer answer(Belfry().run({"circuit", "list", "--json"}));
  for (const simdjson::dom::element circuit : answer.root()["circuits"]) {
    if (text(circuit["name"]) != "porep-32GiB") continue;
    EXPECT_EQ(std::uint64_t(circuit["inputs"]), 328U);
    EXPECT_EQ(std::uint64_t(circuit["constraints"]), 130278541U);
    EXPECT_EQ(std::uint64_t(circuit["aux"]), 130169893U);
    EXPECT_EQ(std::uint64_t(circuit["domain_log2"]), 27U);
    return;
  }
  FAIL() << "porep-32GiB is not listed";
}

TEST(CircuitDigest, Of2KibIsTheRecordedOne) {
  const JsonFile recorded(
      "parameters/v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-"
      "sha256_hasher-032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.json");
  const Answer answer(Belfry().run({"circuit", "digest", "porep-2KiB", "--json"}));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(text(answer.root()["name"]), "porep-2KiB");
  EXPECT_EQ(text(answer.root()["r1cs_digest"]), text(recorded["circuit"]["r1cs_digest"]));
}

TEST(CircuitDigest, LogsWhatItCountedWhenACachedShapeIsOfNoUse) {
  const Belfry belfry;
  std::filesystem::create_directories(belfry.dir() / "belfry");
  (void)belfry.put("belfry/window-2KiB.shape", "not a shape");
  const RunResult run = belfry.run({"circuit", "digest", "window-2KiB"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("counted metric=belfry_shapes_replaced_total of=window-2KiB total=1"),
            std::string::npos)
      << run.err;
}

/// A machine without a card says once, where it is decided, that it proves on the CPU.
TEST(Counters, OfWhatIsUsualAreForThoseWhoAsk) {
  const Belfry belfry;
  const std::vector<std::string> arguments{
      "prove",   "porep", "--c1",     vector_path("porep-2kib-v1_1/c1.json").string(),
      "--miner", "1000",  "--sector", "1"};
  const RunResult run = belfry.run(arguments);  // of parameters that are not there
  EXPECT_EQ(run.err.find("counted"), std::string::npos) << run.err;
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--log-level", "debug"});
  const RunResult debug = belfry.run(all);
  const std::string line = "counted metric=belfry_backend_fallbacks_total of=not_found total=1";
  EXPECT_EQ(run.err.find("proving on the CPU") != std::string::npos,
            debug.err.find(line) != std::string::npos)
      << debug.err;
}

TEST(CircuitDigest, OfAWindowPostIsTheRecordedOne) {
  const JsonFile recorded("filecoin/post-circuits.json");
  const Answer answer(Belfry().run({"circuit", "digest", "window-2KiB", "--json"}));
  ASSERT_TRUE(answer.ok());
  for (const auto row : recorded["circuits"].get_array()) {
    if (text(row["circuit"]) != "window-2KiB") continue;
    EXPECT_EQ(text(answer.root()["r1cs_digest"]), text(row["r1cs_digest"]));
    return;
  }
  FAIL() << "not recorded";
}

TEST(CircuitExtract, WritesTheFileAndItsDigest) {
  const Belfry belfry;
  const auto out = belfry.dir() / "a.shape";
  const Answer answer(
      belfry.run({"circuit", "extract", "porep-2KiB", "--out", out.string(), "--json"}));
  ASSERT_TRUE(answer.ok());
  const std::string content = Belfry::read(out);
  EXPECT_EQ(std::uint64_t(answer.root()["bytes"]), content.size());
  EXPECT_EQ(text(answer.root()["sha256"]), to_hex(hash::sha256(as_bytes(content))));
  EXPECT_EQ(Belfry::read(belfry.dir() / "belfry/porep-2KiB.shape"), content)
      << "the cache holds the same";
}

/// Runs a command that takes much longer than the interrupt and expects that it was stopped.
void expect_stopped(const Belfry& belfry, const std::vector<std::string>& arguments) {
  const RunResult run =
      belfry.run(arguments, {.stdout_file = "", .interrupt_after = std::chrono::milliseconds(300)});
  EXPECT_EQ(run.code, 130) << testing::PrintToString(arguments) << run.out << run.err;
  EXPECT_EQ(Answer(run).error("kind"), "cancelled") << run.out;
}

TEST(CircuitCancel, EndsTheDigestOfACircuit) {
  const Belfry belfry;
  // One block in 2349 is in the shape: it is there at once, and the digest takes half a minute.
  ASSERT_EQ(belfry.run({"circuit", "extract", "window-32GiB"}).code, 0);
  expect_stopped(belfry, {"circuit", "digest", "window-32GiB", "--json"});
}

TEST(CircuitCancel, EndsTheExtractionOfAShapeWithoutAFile) {
  const Belfry belfry;
  const auto out = belfry.dir() / "out.shape";
  expect_stopped(belfry, {"circuit", "extract", "porep-512MiB", "--json", "--out", out.string()});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(CircuitCancel, ReachesTheSynthesis) {
  const RunResult run =
      Belfry().run({"circuit", "extract", "porep-64GiB"},
                   {.stdout_file = "", .interrupt_after = std::chrono::milliseconds(100)});
  EXPECT_EQ(run.code, 130) << run.out << run.err;
  EXPECT_NE(run.err.find("[r1cs.extract_shape]"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace belfry::test
