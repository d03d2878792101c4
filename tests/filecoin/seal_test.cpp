#include "belfry/filecoin/sealing/seal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "belfry/filecoin/formats/c1_writer.h"
#include "belfry/filecoin/sealing/c1.h"
#include "belfry/filecoin/sealing/vanilla_post.h"
#include "filecoin/cases.h"
#include "filecoin/recorded_sealing.h"
#include "filecoin/sealed_sector.h"
#include "support/temp_dir.h"

namespace belfry::filecoin {
namespace {

namespace fs = std::filesystem;

SealedCommitments seal(const SectorIdentity& identity, std::uint64_t shift, const fs::path& out) {
  const auto data = test::sector_data(*identity.config.sector, shift);
  const auto sealed = seal_sector(identity, data, out, {.executor = test::executor()});
  EXPECT_TRUE(sealed) << sealed.error().describe();
  return sealed.value_or(SealedCommitments{});
}

Bytes32 seed_of(simdjson::dom::element json) {
  Bytes32 seed{};
  std::ranges::copy(test::hex_bytes(json["seed"]), seed.begin());
  return seed;
}

void expect_c1(const SectorPaths& paths, const SectorIdentity& identity, const Bytes32& seed,
               const std::string& vector) {
  const auto c1 = make_c1(paths, identity, seed, test::executor());
  ASSERT_TRUE(c1) << c1.error().describe();
  const std::string json = write_c1(*c1);
  const auto expected = test::read_vector(vector);
  ASSERT_EQ(json.size(), expected.size());
  EXPECT_TRUE(std::ranges::equal(as_bytes(json), expected));
}

class SealVector : public testing::TestWithParam<std::string> {};

TEST_P(SealVector, EqualsTheReference) {
  const test::JsonFile json(GetParam() + "/sector.json");
  const SectorIdentity identity = test::vector_identity(json.root());
  const test::TempDir dir;
  const SectorPaths paths(dir / "sector");
  const SealedCommitments sealed =
      seal(identity, std::uint64_t(json["data_shift"]), paths.directory());
  test::expect_recorded_commitments(sealed, json.root());
  test::expect_recorded_data(
      test::sector_data(*identity.config.sector, std::uint64_t(json["data_shift"])),
      *identity.config.sector, json.root());
  EXPECT_EQ(to_hex(sealed.replica_id.bytes()), test::text(json["replica_id"]));
  test::expect_recorded_files(paths, json["files"]);
  expect_c1(paths, identity, seed_of(json.root()), GetParam() + "/c1.json");
  const auto record = read_sector_record(paths.record());
  ASSERT_TRUE(record);
  EXPECT_EQ(record->config.porep_id, identity.config.porep_id);
}

INSTANTIATE_TEST_SUITE_P(Sectors, SealVector,
                         testing::Values("porep-2kib-v1_0", "porep-2kib-v1_1",
                                         "porep-2kib-v1_2-synthetic", "porep-2kib-ni",
                                         "porep-8mib-v1_1-vanilla"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// The replica that the specification itself shows is that of this sector.
TEST(Seal, MakesTheSectorOfTheSpecification) {
  const test::JsonFile json("porep-2kib-v1_1/sector.json");
  const test::TempDir dir;
  const SectorPaths paths(dir / "sector");
  (void)seal(test::vector_identity(json.root()), 0, paths.directory());
  EXPECT_EQ(test::file_bytes(paths.sealed()), test::read_vector("spec/sealed-2kib-v1_1.bin"));
}

TEST(Seal, MakesTheSameC1WithoutPreparedProofs) {
  const test::JsonFile json("porep-2kib-v1_2-synthetic/sector.json");
  const SectorIdentity identity = test::vector_identity(json.root());
  const test::TempDir dir;
  const SectorPaths paths(dir / "sector");
  (void)seal(identity, 0, paths.directory());
  fs::remove(paths.synthetic_proofs());
  expect_c1(paths, identity, seed_of(json.root()), "porep-2kib-v1_2-synthetic/c1.json");
}

TEST(Seal, MakesC1FromPreparedProofsAlone) {
  const test::JsonFile json("porep-2kib-v1_2-synthetic/sector.json");
  const SectorIdentity identity = test::vector_identity(json.root());
  const test::TempDir dir;
  const SectorPaths paths(dir / "sector");
  (void)seal(identity, 0, paths.directory());
  fs::remove(paths.layer(1));
  fs::remove(paths.layer(2));
  fs::remove(paths.column_tree(*identity.config.sector).files.front());
  fs::remove(paths.data_tree(*identity.config.sector).files.front());
  expect_c1(paths, identity, seed_of(json.root()), "porep-2kib-v1_2-synthetic/c1.json");
}

/// A size without registered proofs: the tree shape of 64 GiB in miniature.
TEST(Seal, SealsSixteenBaseTrees) {
  const test::JsonFile json("porep-32kib/sector.json");
  const auto sector = find_sector(std::uint64_t(json["sector_size"]));
  ASSERT_TRUE(sector);
  SectorIdentity identity{{*sector, ApiVersion::kV1_1, PorepFeature::kInteractive, {}},
                          std::nullopt,
                          std::uint64_t(json["miner"]),
                          std::uint64_t(json["sector_number"]),
                          {}};
  std::ranges::copy(test::hex_bytes(json["porep_id"]), identity.config.porep_id.begin());
  std::ranges::copy(test::hex_bytes(json["ticket"]), identity.ticket.begin());
  const test::TempDir dir;
  const SectorPaths paths(dir / "sector");
  test::expect_recorded_commitments(seal(identity, 0, paths.directory()), json.root());
  test::expect_recorded_files(paths, json["files"]);
  EXPECT_FALSE(fs::exists(paths.record()));
  expect_c1(paths, identity, seed_of(json.root()), "porep-32kib/c1-inner.json");

  Node randomness;
  randomness = *FrBytes::parse(
      std::span<const std::uint8_t, 32>(test::hex_bytes(json["window"]["randomness"]).data(), 32));
  const PostConfig config{PostKind::kWindow, *sector, ApiVersion::kV1_2};
  const auto post = make_vanilla_post(paths, config, randomness,
                                      {.sector_number = identity.sector_number}, test::executor());
  ASSERT_TRUE(post) << post.error().describe();
  EXPECT_EQ(write_vanilla_post(*post, **sector),
            test::read_vector("porep-32kib/window/vanilla-1.bin"));
}

class PostVector : public testing::TestWithParam<std::string> {};

TEST_P(PostVector, EqualsTheReference) {
  const test::JsonFile json(GetParam() + "/post.json");
  const auto proof = find_post_proof(test::text(json["post_proof"]));
  ASSERT_TRUE(proof);
  const auto randomness = FrBytes::parse(
      std::span<const std::uint8_t, 32>(test::hex_bytes(json["randomness"]).data(), 32));
  ASSERT_TRUE(randomness);
  std::uint64_t position = 0;
  for (const auto sector : simdjson::dom::array(json["sectors"])) {
    const SectorIdentity identity = test::vector_identity(sector);
    const test::TempDir dir;
    const SectorPaths paths(dir / "sector");
    test::expect_recorded_commitments(seal(identity, identity.sector_number - 1, paths.directory()),
                                      sector);
    test::expect_recorded_files(paths, sector["files"]);
    test::expect_recorded_data(
        test::sector_data(*identity.config.sector, identity.sector_number - 1),
        *identity.config.sector, sector);
    const auto post = make_vanilla_post(
        paths, proof->config(), *randomness,
        {.sector_number = identity.sector_number, .position = position++}, test::executor());
    ASSERT_TRUE(post) << post.error().describe();
    const std::string name = "/vanilla-" + std::to_string(identity.sector_number) + ".bin";
    EXPECT_EQ(write_vanilla_post(*post, *proof->sector), test::read_vector(GetParam() + name));
  }
}

INSTANTIATE_TEST_SUITE_P(Posts, PostVector,
                         testing::Values("winning-2kib", "window-2kib-1sector",
                                         "window-2kib-3sectors"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace belfry::filecoin
