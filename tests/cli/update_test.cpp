// update and SnapDeals' nouns of vanilla, prove and verify: the whole way of a 2 KiB sector up to
// its vanilla proof, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/filecoin/formats/parameters.h"
#include "cli/run_belfry.h"
#include "cli/sector_arguments.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

Arguments update_arguments(const Belfry& belfry, const std::string& data) {
  return {"update", "--json",
          "--dir",  (belfry.dir() / "old").string(),
          "--data", belfry.put("new-data", data),
          "--out",  (belfry.dir() / "new").string()};
}

void seal_and_update(const Belfry& belfry) {
  const RunResult sealed =
      belfry.run({"seal", "--proof-type", "StackedDrg2KiBV1_1", "--miner", "f01000", "--sector",
                  "1", "--ticket", repeated("01"), "--data", belfry.put("data", piece(0)), "--out",
                  (belfry.dir() / "old").string()});
  ASSERT_EQ(sealed.code, 0) << sealed.err << sealed.out;
  const RunResult updated = belfry.run(update_arguments(belfry, piece(1)));
  ASSERT_EQ(updated.code, 0) << updated.err << updated.out;
  const JsonFile expected("update-2kib/update.json");
  const Answer answer(updated);
  for (const char* name : {"comm_r_old", "comm_r_new", "comm_r_last_new", "comm_d_new"}) {
    EXPECT_EQ(text(answer.root()[name]), text(expected[name])) << name;
  }
}

Arguments vanilla_arguments(const Belfry& belfry) {
  return {"vanilla",
          "update",
          "--json",
          "--old",
          (belfry.dir() / "old").string(),
          "--new",
          (belfry.dir() / "new").string(),
          "--out",
          (belfry.dir() / "proofs").string()};
}

TEST(UpdateCommand, EqualsTheReference) {
  const Belfry belfry;
  seal_and_update(belfry);
  const RunResult run = belfry.run(vanilla_arguments(belfry));
  ASSERT_EQ(run.code, 0) << run.err << run.out;
  const Answer answer(run);
  EXPECT_EQ(simdjson::dom::array(answer.root()["files"]).size(), 1U);
  EXPECT_EQ(Belfry::read(belfry.dir() / "proofs/vanilla-0.bin"),
            Belfry::read(vector_path("update-2kib/vanilla-0.bin")));
}

TEST(UpdateCommand, RefusesWhatItCanNotUpdate) {
  const Belfry belfry;
  const RunResult missing = belfry.run(update_arguments(belfry, piece(1)));
  EXPECT_EQ(missing.code, 3) << missing.out;
  EXPECT_EQ(Answer(missing).error("kind"), "not_found");
  seal_and_update(belfry);
  const RunResult again = belfry.run(update_arguments(belfry, piece(1)));
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ(Answer(again).error("file"), (belfry.dir() / "new").string());
  fs::remove_all(belfry.dir() / "new");
  const RunResult large = belfry.run(update_arguments(belfry, piece(1, 2033)));
  EXPECT_EQ(large.code, 3);
  EXPECT_EQ(Answer(large).error("found"), "2033");
  EXPECT_FALSE(fs::exists(belfry.dir() / "new"));
  EXPECT_EQ(belfry.run(vanilla_arguments(belfry)).code, 3);
}

TEST(UpdateCommand, SaysThatTwoFoldersWereMixedUp) {
  const Belfry belfry;
  seal_and_update(belfry);
  const std::string older = (belfry.dir() / "old").string();
  const std::string newer = (belfry.dir() / "new").string();
  const auto expect_hint = [&](const std::string& given_old, const std::string& given_new,
                               const std::string& hint) {
    const RunResult run = belfry.run({"vanilla", "update", "--json", "--old", given_old, "--new",
                                      given_new, "--out", (belfry.dir() / "proofs").string()});
    EXPECT_EQ(run.code, 3) << run.out;
    const Answer answer(run);
    EXPECT_EQ(answer.error("message"), "the new sector is no update of the old one") << run.out;
    EXPECT_EQ(answer.error("file"), given_new) << run.out;
    EXPECT_EQ(answer.error("expected"), "an update of " + given_old) << run.out;
    EXPECT_EQ(answer.error("hint"), hint) << run.out;
  };
  const std::string swapped = "Name the two folders the other way round";
  const std::string twice = "Name the sector before the update, and the one after it";
  expect_hint(newer, older, swapped);
  expect_hint(older, older, twice);
  expect_hint(newer, newer, twice);
  // TreeD of the first data is often removed when a sector has been sealed.
  fs::remove(belfry.dir() / "old/cache/sc-02-data-tree-d.dat");
  expect_hint(newer, older, swapped);
  EXPECT_EQ(belfry.run(vanilla_arguments(belfry)).code, 0);
}

/// prove update of the recorded vanilla proof; `change` is a pair of option and value.
Arguments prove_arguments(const Arguments& vanilla, const Arguments& change = {}) {
  const JsonFile json("update-2kib/update.json");
  Arguments arguments{"prove", "update", "--json"};
  const auto add = [&](const std::string& option, const std::string& value) {
    const bool changed = !change.empty() && change.front() == option;
    arguments.insert(arguments.end(), {option, changed ? change.back() : value});
  };
  add("--proof-type", "StackedDrg2KiBV1");
  add("--comm-r-old", text(json["comm_r_old"]));
  add("--comm-r-new", text(json["comm_r_new"]));
  add("--comm-d-new", text(json["comm_d_new"]));
  arguments.emplace_back("--vanilla");
  arguments.insert(arguments.end(), vanilla.begin(), vanilla.end());
  return arguments;
}

TEST(ProveUpdateCommand, RefusesContradictionsBeforeAnythingElse) {
  const Belfry belfry;
  const JsonFile json("update-2kib/update.json");
  const std::string file = vector_path("update-2kib/vanilla-0.bin").string();
  const auto section = [&](const Arguments& arguments) {
    const RunResult run = belfry.run(arguments);
    EXPECT_EQ(run.code, 3) << run.out << run.err;
    return Answer(run).error("section");
  };
  EXPECT_EQ(section(prove_arguments({file, file})), "StackedDrg2KiBV1");
  EXPECT_EQ(section(prove_arguments({file}, {"--proof-type", "StackedDrg8MiBV1"})),
            "StackedDrg8MiBV1");
  EXPECT_EQ(
      section(prove_arguments({file}, {"--comm-r-old", text(json["comm_r_new"])})),
      "sector with comm_r_old " + text(json["comm_r_new"]) + ", vanilla_proofs[0].comm_r_old");
  EXPECT_EQ(section(prove_arguments({file}, {"--comm-d-new", repeated("01")})),
            "sector with comm_r_old " + text(json["comm_r_old"]) +
                ", vanilla_proofs[0].challenge_proofs[0].proof_d_new.root");
  EXPECT_EQ(section(prove_arguments({file}, {"--comm-d-new", repeated("ff")})), "comm_d_new");
  EXPECT_EQ(belfry.run(prove_arguments({file}, {"--comm-r-old", "12"})).code, 2);
  EXPECT_EQ(belfry.run(prove_arguments({(belfry.dir() / "nothing").string()})).code, 3);
  const RunResult no_parameters = belfry.run(prove_arguments({file}));
  EXPECT_EQ(no_parameters.code, 3);
  EXPECT_EQ(Answer(no_parameters).error("kind"), "not_found");
}

TEST(VerifyUpdateCommand, AnswersYesAndNo) {
  const Belfry belfry;
  const std::string key = filecoin::parameter_stem(*filecoin::find_circuit("update-2KiB")) + ".vk";
  fs::create_directories(belfry.dir() / "params");
  fs::copy_file(vector_path("parameters/" + key), belfry.dir() / "params" / key);
  const JsonFile json("update-2kib/update.json");
  Arguments arguments{"verify",
                      "update",
                      "--json",
                      "--params",
                      (belfry.dir() / "params").string(),
                      "--proof",
                      vector_path("update-2kib/proof.bin").string(),
                      "--proof-type",
                      "StackedDrg2KiBV1",
                      "--comm-r-old",
                      text(json["comm_r_old"]),
                      "--comm-r-new",
                      text(json["comm_r_new"]),
                      "--comm-d-new",
                      text(json["comm_d_new"])};
  const RunResult yes = belfry.run(arguments);
  EXPECT_EQ(yes.code, 0) << yes.out << yes.err;
  EXPECT_FALSE(bool(Answer(yes).root()["published_key"])) << "it is one for tests";
  arguments.back() = repeated("01");
  const RunResult no = belfry.run(arguments);
  EXPECT_EQ(no.code, 1) << no.out << no.err;
  EXPECT_FALSE(bool(Answer(no).root()["valid"]));
}

}  // namespace
}  // namespace belfry::test
