#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "belfry/filecoin/formats/vanilla_update.h"
#include "belfry/filecoin/sealing/update.h"
#include "belfry/filecoin/sealing/vanilla_update.h"
#include "filecoin/recorded_sealing.h"
#include "filecoin/sealed_sector.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry::test {

/// Seals and updates the sector of a folder of tests/vectors and makes its vanilla proofs; all of
/// it has to be what update.json says.
inline void expect_update_of(const std::string& folder) {
  const JsonFile json(folder + "/update.json");
  const filecoin::SectorIdentity identity = vector_identity(json["old"]);
  const filecoin::SectorParams& sector = *identity.config.sector;
  const Executor executor(2);
  const TempDir dir;
  const filecoin::SectorPaths old_sector(dir / "old");
  const filecoin::SectorPaths new_sector(dir / "new");
  const auto sealed =
      filecoin::seal_sector(identity, sector_data(sector, std::uint64_t(json["old_data_shift"])),
                            old_sector.directory(), {.executor = executor});
  ASSERT_TRUE(sealed) << sealed.error().describe();
  expect_recorded_commitments(*sealed, json["old"]);
  expect_recorded_files(old_sector, json["old"]["files"]);
  expect_recorded_data(sector_data(sector, std::uint64_t(json["old_data_shift"])), sector,
                       json["old"]);

  const auto data = sector_data(sector, std::uint64_t(json["new_data_shift"]));
  const auto updated = filecoin::update_sector(old_sector, sector, data, new_sector.directory(),
                                               {.executor = executor});
  ASSERT_TRUE(updated) << updated.error().describe();
  EXPECT_EQ(to_hex(updated->comm_r_old.bytes()), text(json["comm_r_old"]));
  EXPECT_EQ(to_hex(updated->comm_r_new.bytes()), text(json["comm_r_new"]));
  EXPECT_EQ(to_hex(updated->comm_r_last_new.bytes()), text(json["comm_r_last_new"]));
  EXPECT_EQ(to_hex(updated->comm_d_new.bytes()), text(json["comm_d_new"]));
  EXPECT_EQ(file_digest(new_sector.sealed()), text(json["new_sealed"]["sha256"]));
  EXPECT_EQ(std::filesystem::file_size(new_sector.sealed()), number(json["new_sealed"]["bytes"]));

  const auto vanilla = filecoin::make_vanilla_update(old_sector, new_sector, sector, executor);
  ASSERT_TRUE(vanilla) << vanilla.error().describe();
  for (std::size_t k = 0; k < vanilla->partitions.size(); ++k) {
    EXPECT_EQ(filecoin::write_vanilla_update(vanilla->partitions[k], sector),
              read_vector(folder + "/vanilla-" + std::to_string(k) + ".bin"))
        << k;
  }
}

}  // namespace belfry::test
