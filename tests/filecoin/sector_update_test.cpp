#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "belfry/filecoin/formats/vanilla_update.h"
#include "filecoin/updated_sector.h"
#include "support/temp_dir.h"

namespace belfry::filecoin {
namespace {

namespace fs = std::filesystem;

TEST(SectorUpdate, TwoKibEqualsTheReference) { test::expect_update_of("update-2kib"); }

/// A sealed 2 KiB sector and its update.
class UpdatedTwoKib : public testing::Test {
 protected:
  const SectorParams& sector = **find_sector("2KiB");
  test::TempDir dir;
  SectorPaths old_sector{dir / "old"};
  SectorPaths new_sector{dir / "new"};
  std::vector<std::uint8_t> data = test::sector_data(sector, 1);

  void SetUp() override {
    const SectorIdentity identity =
        sector_identity(test::seal_proof("StackedDrg2KiBV1_1"), 1000, 7, Bytes32{1});
    const auto sealed = seal_sector(identity, test::sector_data(sector, 0), old_sector.directory(),
                                    {.executor = executor});
    ASSERT_TRUE(sealed) << sealed.error().describe();
  }
  Result<UpdatedCommitments> update() {
    return update_sector(old_sector, sector, data, new_sector.directory(), {.executor = executor});
  }
  Result<VanillaUpdate> vanilla() {
    return make_vanilla_update(old_sector, new_sector, sector, executor);
  }
  Executor executor{2};
};

TEST_F(UpdatedTwoKib, VanillaProofsStopWhenAsked) {
  ASSERT_TRUE(update());
  CancelSource cancel;
  cancel.cancel();
  const auto stopped =
      make_vanilla_update(old_sector, new_sector, sector, executor, cancel.token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

TEST_F(UpdatedTwoKib, StandsInTheReferencesLayout) {
  ASSERT_EQ(*sealed_size(old_sector), &sector);
  const auto updated = update();
  ASSERT_TRUE(updated) << updated.error().describe();
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(new_sector.directory())) {
    files.insert(entry.path().filename().string());
  }
  EXPECT_EQ(files, (std::set<std::string>{"cache", "p_aux", "t_aux", "sealed", "sector.json",
                                          "sc-02-data-tree-d.dat", "sc-02-data-tree-r-last.dat"}));
  // It is a sector like any other: PoSt and further updates find what they need.
  const auto replica = open_replica(new_sector, sector);
  ASSERT_TRUE(replica) << replica.error().describe();
  EXPECT_EQ(replica->comm_r(), updated->comm_r_new);
  EXPECT_EQ(read_sector_record(new_sector.record())->sector_number, 7U);
  const auto again = update_sector(new_sector, sector, test::sector_data(sector, 2), dir / "third",
                                   {.executor = executor});
  ASSERT_TRUE(again) << again.error().describe();
  EXPECT_EQ(again->comm_r_old, updated->comm_r_new);
}

TEST_F(UpdatedTwoKib, DataOfZerosChangesNothing) {
  data.clear();
  const auto updated = update();
  ASSERT_TRUE(updated) << updated.error().describe();
  EXPECT_EQ(updated->comm_r_old, updated->comm_r_new);
  EXPECT_EQ(test::file_digest(old_sector.sealed()), test::file_digest(new_sector.sealed()));
}

TEST_F(UpdatedTwoKib, WorksWithoutARecord) {
  fs::remove(old_sector.record());
  ASSERT_TRUE(update());
  EXPECT_FALSE(fs::exists(new_sector.record()));
  EXPECT_TRUE(vanilla());
}

void expect_refused(const tl::unexpected<Error>& refused, ErrorCode code, const std::string& file) {
  EXPECT_EQ(refused.value().code, code) << refused.value().describe();
  EXPECT_EQ(fs::path(refused.value().file).filename().string(), file) << refused.value().describe();
}

TEST_F(UpdatedTwoKib, RefusesWhatItCanNotUpdate) {
  data.push_back(0);
  auto updated = update();
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().found, "2033");
  data.pop_back();
  updated =
      update_sector(old_sector, **find_sector("1GiB"), data, dir / "x", {.executor = executor});
  EXPECT_EQ(updated.error().code, ErrorCode::kInvalidInput);
  updated =
      update_sector(old_sector, **find_sector("4KiB"), data, dir / "x", {.executor = executor});
  EXPECT_EQ(updated.error().code, ErrorCode::kInvalidInput);
  ASSERT_TRUE(update());
  updated = update();
  ASSERT_FALSE(updated);
  expect_refused(fail(updated.error()), ErrorCode::kInvalidInput, "new");

  // A node that is none: its top byte is above that of the modulus.
  auto replica = test::file_bytes(old_sector.sealed());
  replica[127] = 0xff;
  test::overwrite(old_sector.sealed(), replica);
  updated = update_sector(old_sector, sector, data, dir / "x", {.executor = executor});
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().code, ErrorCode::kInvalidInput);
  EXPECT_FALSE(fs::exists(dir / "x"));
  fs::remove(old_sector.sealed());
  EXPECT_EQ(sealed_size(old_sector).error().code, ErrorCode::kNotFound);
  test::overwrite(old_sector.sealed(), {1, 2, 3});
  expect_refused(fail(sealed_size(old_sector).error()), ErrorCode::kInvalidInput, "sealed");
}

TEST_F(UpdatedTwoKib, VanillaProofsOfDamagedSectorsAreRefused) {
  ASSERT_TRUE(update());
  ASSERT_TRUE(vanilla());
  // Another sector is no update of this one.
  auto p_aux = test::file_bytes(new_sector.p_aux());
  test::damage(new_sector.p_aux(), 0);
  auto made = vanilla();
  ASSERT_FALSE(made);
  expect_refused(fail(made.error()), ErrorCode::kInvalidInput, "p_aux");
  test::overwrite(new_sector.p_aux(), p_aux);
  // The data of TreeD: every leaf is checked on the way of a challenge.
  test::damage(new_sector.cache() / "sc-02-data-tree-d.dat", 64 * 32);
  made = vanilla();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidInput);
  fs::remove(new_sector.cache() / "sc-02-data-tree-d.dat");
  EXPECT_EQ(vanilla().error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace belfry::filecoin
