// seal, c1 and vanilla: the whole way of a 2 KiB sector, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_belfry.h"
#include "cli/sector_arguments.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

Arguments seal_arguments(const Belfry& belfry, const std::string& data) {
  return {"seal",         "--json",
          "--proof-type", "StackedDrg2KiBV1_1",
          "--miner",      "f01000",
          "--sector",     "1",
          "--ticket",     repeated("01"),
          "--data",       belfry.put("data", data),
          "--out",        (belfry.dir() / "sector").string()};
}

RunResult seal(const Belfry& belfry) { return belfry.run(seal_arguments(belfry, piece(0))); }

Arguments c1_arguments(const Belfry& belfry) {
  return {"c1",     "--json",       "--dir", (belfry.dir() / "sector").string(),
          "--seed", repeated("02"), "--out", (belfry.dir() / "c1.json").string()};
}

Arguments vanilla_arguments(const Belfry& belfry, const std::string& kind,
                            const std::string& proof) {
  return {"vanilla",
          kind,
          "--json",
          "--dir",
          (belfry.dir() / "sector").string(),
          "--randomness",
          repeated("03"),
          "--proof-type",
          proof,
          "--out",
          (belfry.dir() / "proofs").string()};
}

/// What the README tells a reader to type must verify.
TEST(SealCommand, TheReadmeHasTheCommitmentsOfItsSector) {
  const Belfry belfry;
  const std::string data = Belfry::read(vector_path("../../LICENSE-MIT"));
  const std::string readme = Belfry::read(vector_path("../../README.md"));
  const RunResult sealed = belfry.run(seal_arguments(belfry, data));
  ASSERT_EQ(sealed.code, 0) << sealed.err << sealed.out;
  const Answer answer(sealed);
  EXPECT_NE(readme.find("--comm-d " + text(answer.root()["comm_d"])), std::string::npos);
  EXPECT_NE(readme.find("--comm-r " + text(answer.root()["comm_r"])), std::string::npos);
}

TEST(SealCommand, EqualsTheReference) {
  const Belfry belfry;
  const JsonFile sector("porep-2kib-v1_1/sector.json");
  const RunResult sealed = seal(belfry);
  ASSERT_EQ(sealed.code, 0) << sealed.err << sealed.out;
  const Answer answer(sealed);
  for (const char* name : {"comm_d", "comm_r", "comm_c", "comm_r_last", "replica_id"}) {
    EXPECT_EQ(text(answer.root()[name]), text(sector[name])) << name;
  }
  const RunResult c1 = belfry.run(c1_arguments(belfry));
  ASSERT_EQ(c1.code, 0) << c1.err << c1.out;
  const Answer told(c1);
  EXPECT_EQ(std::uint64_t(told.root()["bytes"]), std::uint64_t(sector["c1"]["bytes"]));
  EXPECT_EQ(text(told.root()["sha256"]), text(sector["c1"]["sha256"]));
  EXPECT_EQ(Belfry::read(belfry.dir() / "c1.json"),
            Belfry::read(vector_path("porep-2kib-v1_1/c1.json")));
}

TEST(SealCommand, MakesVanillaProofs) {
  const Belfry belfry;
  ASSERT_EQ(seal(belfry).code, 0);
  const std::pair<Arguments, std::string> kinds[] = {
      {vanilla_arguments(belfry, "winning", "StackedDrgWinning2KiBV1"), "winning-2kib"},
      {vanilla_arguments(belfry, "window", "StackedDrgWindow2KiBV1_2"), "window-2kib-1sector"}};
  for (const auto& [arguments, vector] : kinds) {
    const RunResult run = belfry.run(arguments);
    ASSERT_EQ(run.code, 0) << run.err << run.out;
    const Answer answer(run);
    EXPECT_EQ(simdjson::dom::array(answer.root()["files"]).size(), 1U);
    EXPECT_EQ(Belfry::read(belfry.dir() / "proofs/vanilla-1.bin"),
              Belfry::read(vector_path(vector + "/vanilla-1.bin")));
  }
}

TEST(SealCommand, NeedsOptionsWithoutARecord) {
  const Belfry belfry;
  ASSERT_EQ(seal(belfry).code, 0);
  fs::remove(belfry.dir() / "sector/sector.json");
  Arguments arguments = c1_arguments(belfry);
  const RunResult missing = belfry.run(arguments);
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(Answer(missing).error("hint").find("--ticket"), std::string::npos) << missing.out;
  arguments.insert(arguments.end(), {"--proof-type", "5", "--miner", "1000", "--sector", "1"});
  EXPECT_EQ(belfry.run(arguments).code, 2);
  arguments.insert(arguments.end(), {"--ticket", repeated("01")});
  EXPECT_EQ(belfry.run(arguments).code, 0);
  arguments.back() = repeated("04");
  const RunResult other = belfry.run(arguments);
  EXPECT_EQ(other.code, 3) << other.out;

  Arguments window = vanilla_arguments(belfry, "window", "StackedDrgWindow2KiBV1_2");
  EXPECT_EQ(belfry.run(window).code, 3);
  window.insert(window.end(), {"--sector", "1"});
  EXPECT_EQ(belfry.run(window).code, 0);
  window.insert(window.end(), {"2"});
  EXPECT_EQ(belfry.run(window).code, 2);
}

TEST(SealCommand, RefusesWhatItCanNotSeal) {
  const Belfry belfry;
  const RunResult large = belfry.run(seal_arguments(belfry, piece(0, 2033)));
  EXPECT_EQ(large.code, 3);
  EXPECT_EQ(Answer(large).error("found"), "2033");
  Arguments arguments = seal_arguments(belfry, piece(0));
  arguments.insert(arguments.end(), {"--memory-budget", "1MiB"});
  const RunResult small_budget = belfry.run(arguments);
  EXPECT_EQ(small_budget.code, 4) << small_budget.out;
  EXPECT_FALSE(fs::exists(belfry.dir() / "sector"));

  ASSERT_EQ(seal(belfry).code, 0);
  const RunResult again = seal(belfry);
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ(Answer(again).error("kind"), "invalid_input");
  EXPECT_EQ(Answer(again).error("file"), (belfry.dir() / "sector").string());
}

TEST(SealCommand, AFullDiskLeavesNothing) {
  const Belfry belfry;
  const RunResult run =
      belfry.run(seal_arguments(belfry, piece(0)), {.stdout_file = "", .file_size_limit = 3000});
  EXPECT_EQ(run.code, 4) << run.out;
  for (const auto& entry : fs::directory_iterator(belfry.dir().path())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("sector")) << entry.path();
  }
}

/// Under the rule of V1 a sector of the second partition is asked other leaves than in the first.
TEST(VanillaCommand, ALaterPartitionIsAskedOtherLeaves) {
  const Belfry belfry;
  ASSERT_EQ(seal(belfry).code, 0);
  const std::string type = "StackedDrgWindow2KiBV1";
  const auto made_for = [&](const std::string& partition) {
    Arguments arguments = vanilla_arguments(belfry, "window", type);
    arguments.insert(arguments.end(), {"--partition", partition});
    EXPECT_EQ(belfry.run(arguments).code, 0);
    return Belfry::read(belfry.dir() / "proofs/vanilla-1.bin");
  };
  EXPECT_EQ(made_for("0"), Belfry::read(vector_path("window-2kib-1sector/vanilla-1.bin")));
  EXPECT_NE(made_for("1"), Belfry::read(vector_path("window-2kib-1sector/vanilla-1.bin")));
  // Only the same partition goes on with it: there are no parameters here.
  for (const auto& [partition, kind] :
       {std::pair{std::string("1"), "not_found"}, {"0", "invalid_input"}, {"2", "invalid_input"}}) {
    const RunResult run = belfry.run({"prove", "window", "--json", "--vanilla",
                                      (belfry.dir() / "proofs/vanilla-1.bin").string(), "--miner",
                                      "f01000", "--randomness", repeated("03"), "--proof-type",
                                      type, "--partition", partition});
    EXPECT_EQ(Answer(run).error("kind"), kind) << partition << run.out;
  }
  Arguments bad = vanilla_arguments(belfry, "window", type);
  bad.insert(bad.end(), {"--partition", "4294967296"});
  const RunResult refused = belfry.run(bad);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(Answer(refused).error("section"), "--partition");
}

TEST(SealCommand, RefusesWhatIsNoTestSector) {
  const Belfry belfry;
  const std::string zeros(64, '0');
  const auto out = (belfry.dir() / "sector").string();
  const Answer answer(belfry.run({"seal", "--json", "--proof-type", "StackedDrg32GiBV1_1", "--data",
                                  belfry.put("data", "x"), "--miner", "1", "--sector", "1",
                                  "--ticket", zeros, "--out", out, "--memory-budget", "1TiB"}));
  EXPECT_EQ(answer.error("kind"), "invalid_input");
  EXPECT_EQ(answer.error("section"), "--proof-type");
  EXPECT_EQ(answer.error("expected"), "at most 512MiB");
  EXPECT_EQ(answer.error("found"), "32GiB");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(C1Command, SaysWhatIsWrongWithASeedOfZeros) {
  const Belfry belfry;
  ASSERT_EQ(seal(belfry).code, 0);
  Arguments arguments = c1_arguments(belfry);
  arguments[5] = std::string(64, '0');
  const RunResult run = belfry.run(arguments);
  EXPECT_EQ(run.code, 3);
  const Answer answer(run);
  EXPECT_EQ(answer.error("section"), "seed");
  EXPECT_EQ(answer.error("expected"), "some other value");
  EXPECT_EQ(answer.error("found"), arguments[5]);
}

TEST(VanillaCommand, RefusesContradictions) {
  const Belfry belfry;
  ASSERT_EQ(seal(belfry).code, 0);
  const RunResult kind =
      belfry.run(vanilla_arguments(belfry, "winning", "StackedDrgWindow2KiBV1_2"));
  EXPECT_EQ(kind.code, 3);
  EXPECT_EQ(Answer(kind).error("section"), "--proof-type");
  EXPECT_EQ(Answer(kind).error("expected"), "a WinningPoSt");
  EXPECT_EQ(Answer(kind).error("found"), "StackedDrgWindow2KiBV1_2");
  const RunResult size =
      belfry.run(vanilla_arguments(belfry, "window", "StackedDrgWindow8MiBV1_2"));
  EXPECT_EQ(size.code, 3);
  EXPECT_EQ(Answer(size).error("found"), "2KiB") << size.out;
  Arguments arguments = vanilla_arguments(belfry, "window", "StackedDrgWindow2KiBV1_2");
  arguments[6] = std::string(64, 'f');
  const RunResult randomness = belfry.run(arguments);
  EXPECT_EQ(randomness.code, 3);
  EXPECT_EQ(Answer(randomness).error("section"), "randomness");
  arguments = vanilla_arguments(belfry, "window", "StackedDrgWindow2KiBV1_2");
  arguments.insert(arguments.end(), {"--dir", (belfry.dir() / "sector").string()});
  EXPECT_EQ(belfry.run(arguments).code, 2);
  arguments[1] = "winning";
  arguments[8] = "StackedDrgWinning2KiBV1";
  EXPECT_EQ(belfry.run(arguments).code, 2);
}

TEST(VanillaCommand, ADamagedReplicaIsExitCodeThree) {
  const Belfry belfry;
  ASSERT_EQ(seal(belfry).code, 0);
  const std::string sealed = (belfry.dir() / "sector/sealed").string();
  std::string bytes = Belfry::read(sealed);
  bytes[100] = static_cast<char>(bytes[100] ^ 1);
  std::ofstream(sealed, std::ios::binary) << bytes;
  const RunResult run = belfry.run(vanilla_arguments(belfry, "winning", "StackedDrgWinning2KiBV1"));
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(Answer(run).error("file"), sealed) << run.out;
}

}  // namespace
}  // namespace belfry::test
