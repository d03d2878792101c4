#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "belfry/filecoin/update/vanilla_check.h"
#include "filecoin/cases.h"
#include "filecoin/small_update.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

const VanillaUpdate& update_of_2kib() {
  static const VanillaUpdate update = test::read_recorded_update("update-2kib");
  return update;
}
const VanillaUpdate& sixteen_kib() {
  static const VanillaUpdate update = test::make_small_update("16KiB").prove();
  return update;
}

Result<void> check_all(const VanillaUpdate& update) {
  const Executor executor(2);
  for (std::uint32_t k = 0; k < update.sector->update_partitions; ++k) {
    BELFRY_CHECK(check_vanilla_update(update, k, executor));
  }
  return {};
}

TEST(UpdateChallenges, EqualTheReference) {
  const test::JsonFile golden("filecoin/update-circuits.json");
  const Node comm_r_new =
      *FrBytes::parse(*bytes32_from_hex(std::string_view(golden["comm_r_new"])));
  std::size_t count = 0;
  for (const auto row : golden["challenges"].get_array()) {
    const auto sector = find_sector(32 * test::number(row["nodes"]));
    ASSERT_TRUE(sector);
    const auto found =
        update_challenges(update_params(**sector), comm_r_new,
                          static_cast<std::uint32_t>(test::number(row["partition"])));
    EXPECT_EQ(found.size(), (*sector)->update_challenges);
    std::size_t i = 0;
    for (const auto challenge : row["challenges"].get_array()) {
      EXPECT_EQ(found[i++], test::number(challenge));
    }
    ++count;
  }
  EXPECT_EQ(count, 6U);
}

TEST(UpdateParams, SelectsHighBits) {
  EXPECT_EQ(update_params(**find_sector("2KiB")).high_select(), 1U);
  UpdateParams params = update_params(**find_sector("32GiB"));
  EXPECT_EQ(params.high_select(), 8U);
  EXPECT_EQ(update_selector(params, 5), 133U);
  params.high_bits = 12;
  EXPECT_EQ(params.high_select(), 32U);
  EXPECT_EQ(params.digests(), 10U);
  EXPECT_EQ(params.challenges_per_digest(), 9U);
}

TEST(UpdateCheck, AcceptsWhatTheReferenceMade) {
  for (const char* folder : {"update-2kib", "update-8mib-vanilla"}) {
    const auto checked = check_all(test::read_recorded_update(folder));
    EXPECT_TRUE(checked) << folder << checked.error().describe();
  }
}

TEST(UpdateCheck, AcceptsWhatWeMade) {
  for (const char* size : {"2KiB", "4KiB", "16KiB", "32KiB"}) {
    const auto checked = check_all(test::make_small_update(size).prove());
    EXPECT_TRUE(checked) << size << checked.error().describe();
  }
}

void expect_named(const VanillaUpdate& update, const std::string& section) {
  const auto checked = check_all(update);
  ASSERT_FALSE(checked) << section;
  EXPECT_EQ(checked.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(checked.error().section, section) << checked.error().describe();
}

/// A contradiction in challenge 3 of the last partition, and the field that the check has to name.
struct UpdateLie {
  std::string section;
  std::function<void(VanillaUpdateChallenge&)> tell;
};

TEST(UpdateCheck, NamesTheFieldThatLies) {
  const std::vector<UpdateLie> lies{
      {"proof_r_old.path", [](auto& v) { test::change(v.r_old.leaf); }},
      {"proof_r_old.path", [](auto& v) { test::swap_siblings(v.r_old); }},
      {"proof_r_old.path", [](auto& v) { v.r_old.positions[1] ^= 4; }},
      {"proof_r_old.root", [](auto& v) { test::change(v.r_old.root); }},
      {"proof_d_new.path", [](auto& v) { test::change(v.d_new.siblings[2]); }},
      {"proof_d_new.path", [](auto& v) { v.d_new.positions[5] ^= 1; }},
      {"proof_d_new.root", [](auto& v) { test::change(v.d_new.root); }},
      {"proof_r_new.path", [](auto& v) { test::change(v.r_new.leaf); }},
      {"proof_r_new.path", [](auto& v) { test::change(v.r_new.siblings[13]); }},
      {"proof_r_new.root", [](auto& v) { test::change(v.r_new.root); }},
      {"proof_r_old.root", [](auto& v) { std::swap(v.r_old, v.r_new); }},
  };
  for (const VanillaUpdate& good : {update_of_2kib(), sixteen_kib()}) {
    const std::size_t last = good.partitions.size() - 1;
    for (const UpdateLie& lie : lies) {
      VanillaUpdate update = good;
      lie.tell(update.partitions[last].challenges[3]);
      expect_named(update, "vanilla_proofs[" + std::to_string(last) + "].challenge_proofs[3]." +
                               lie.section);
    }
  }
}

TEST(UpdateCheck, NamesWhatContradictsTheStatement) {
  VanillaUpdate update = update_of_2kib();
  test::change(update.statement.comm_r_old);
  expect_named(update, "vanilla_proofs[0].comm_r_old");
  update = update_of_2kib();
  test::change(update.statement.comm_r_new);
  expect_named(update, "vanilla_proofs[0].comm_r_new");
  update = update_of_2kib();
  test::change(update.statement.comm_d_new);
  expect_named(update, "vanilla_proofs[0].challenge_proofs[0].proof_d_new.root");
  update = sixteen_kib();
  test::change(update.partitions[1].comm_c);
  expect_named(update, "vanilla_proofs[1].comm_r_old");
  update = sixteen_kib();
  std::swap(update.partitions[0], update.partitions[1]);
  expect_named(update, "vanilla_proofs[0].challenge_proofs[0].proof_r_old.path");
  update = sixteen_kib();
  std::swap(update.partitions[1].challenges[0], update.partitions[1].challenges[1]);
  expect_named(update, "vanilla_proofs[1].challenge_proofs[0].proof_r_old.path");
}

TEST(UpdateCheck, TellsOfSwappedCommitments) {
  VanillaUpdate update = update_of_2kib();
  std::swap(update.statement.comm_r_old, update.statement.comm_r_new);
  expect_named(update, "vanilla_proofs[0].comm_r_old");
  // Proofs that were swapped too contradict nothing but the hint's reason: challenges differ.
  const auto checked = check_all(update);
  EXPECT_EQ(checked.error().hint, "comm_r_old and comm_r_new stand in each other's place");
  update = update_of_2kib();
  std::swap(update.statement.comm_r_new, update.statement.comm_d_new);
  expect_named(update, "vanilla_proofs[0].comm_r_new");
}

TEST(UpdateCheck, RefusesWrongNumbers) {
  VanillaUpdate update = sixteen_kib();
  update.partitions.pop_back();
  expect_named(update, "vanilla_proofs");
  update = sixteen_kib();
  update.partitions.push_back(update.partitions.front());
  expect_named(update, "vanilla_proofs");
  update = sixteen_kib();
  update.partitions[1].apex_leaves.pop_back();
  expect_named(update, "vanilla_proofs[1].apex_leaves");
  update = sixteen_kib();
  update.partitions[1].challenges.pop_back();
  expect_named(update, "vanilla_proofs[1].challenge_proofs");
  EXPECT_FALSE(check_vanilla_update(sixteen_kib(), 2, Executor(1)));
  update.sector = *find_sector("1GiB");
  EXPECT_EQ(check_update_request(update).error().code, ErrorCode::kInvalidInput);
}

TEST(UpdateCheck, NamesApexLeavesThatLie) {
  for (const VanillaUpdate& good : {update_of_2kib(), sixteen_kib()}) {
    const std::size_t leaves = good.sector->update_apex;
    const UpdateParams params = update_params(*good.sector);
    for (std::size_t leaf = 0; leaf < leaves; leaf += leaves / 8) {
      VanillaUpdate update = good;
      test::change(update.partitions[0].apex_leaves[leaf]);
      bool is_hit = false;
      for (const auto node : update_challenges(params, update.statement.comm_r_new, 0)) {
        is_hit = is_hit || ((node >> params.bits_below_apex()) & (leaves - 1)) == leaf;
      }
      expect_named(update,
                   "vanilla_proofs[0].apex_leaves" +
                       (is_hit ? std::string("[") + std::to_string(leaf) + "]" : std::string()));
    }
  }
}

TEST(UpdateCheck, ReplicaThatIsNotTheEncoding) {
  // Another new replica, with a comm_r_new to match: every path is right, the encoding is not.
  test::SmallUpdate sector = test::make_small_update("2KiB");
  sector.new_nodes.assign(64, Node(Fr::from_u64(7)));
  sector.statement.comm_r_new = comm_r(sector.comm_c, sector.tree_r(sector.new_nodes).root());
  expect_named(sector.prove(), "vanilla_proofs[0].challenge_proofs[0].proof_r_new.leaf");
}

}  // namespace
}  // namespace belfry::filecoin
