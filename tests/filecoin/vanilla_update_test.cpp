#include "belfry/filecoin/formats/vanilla_update.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "filecoin/cases.h"
#include "filecoin/small_update.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

std::vector<std::uint8_t> recorded() { return test::read_vector("update-2kib/vanilla-0.bin"); }

// Places in the 2 KiB file: comm_c, count, 8 apex leaves, count, then per challenge 556 bytes of
// TreeR, 364 of TreeD, 556 of TreeR.
constexpr std::size_t kApexCount = 32;
constexpr std::size_t kApex = 40;
constexpr std::size_t kChallengeCount = kApex + 8 * 32;
constexpr std::size_t kFirst = kChallengeCount + 8;
constexpr std::size_t kDataProof = kFirst + 556;

TEST(VanillaUpdate, ReadsAndWritesWhatTheReferenceWrote) {
  for (const std::string folder : {"update-2kib", "update-8mib-vanilla"}) {
    const VanillaUpdate update = test::read_recorded_update(folder);
    ASSERT_EQ(update.partitions.size(), update.sector->update_partitions);
    for (std::size_t k = 0; k < update.partitions.size(); ++k) {
      const auto bytes = test::read_vector(folder + "/vanilla-" + std::to_string(k) + ".bin");
      EXPECT_EQ(write_vanilla_update(update.partitions[k], *update.sector), bytes);
    }
  }
  EXPECT_EQ(test::read_vector("spec/snap-2kib-partition0.bin"), recorded());
}

TEST(VanillaUpdate, ReadsWhatItWrites) {
  for (const char* size : {"4KiB", "16KiB", "32KiB"}) {
    const VanillaUpdate update = test::make_small_update(size).prove();
    for (const VanillaUpdatePartition& partition : update.partitions) {
      const auto bytes = write_vanilla_update(partition, *update.sector);
      const auto read = parse_vanilla_update(bytes, *update.sector, "x");
      ASSERT_TRUE(read) << read.error().describe();
      EXPECT_EQ(write_vanilla_update(*read, *update.sector), bytes);
    }
  }
}

TEST(VanillaUpdate, SizeOfAThirtyTwoGibPartition) {
  const SectorParams& sector = **find_sector("32GiB");
  VanillaUpdatePartition partition;
  partition.apex_leaves.resize(sector.update_apex);
  MerkleProof replica;
  replica.positions.resize(10);
  replica.siblings.resize(70);
  MerkleProof data;
  data.positions.resize(30);
  data.siblings.resize(30);
  partition.challenges.assign(sector.update_challenges, {replica, data, replica});
  const auto bytes = write_vanilla_update(partition, sector);
  EXPECT_EQ(bytes.size(), 561'768U);
  EXPECT_TRUE(parse_vanilla_update(bytes, sector, "x"));
  EXPECT_FALSE(parse_vanilla_update(bytes, **find_sector("64GiB"), "x"));
}

/// A change of one byte, and where the reader has to see it.
struct Damage {
  std::size_t at;
  std::uint8_t value;
  std::string section;
};

TEST(VanillaUpdate, NamesWhatIsWrong) {
  const std::vector<Damage> damages{
      {31, 0xff, "comm_c"},
      {kApexCount, 7, "apex_leaves"},
      {kApexCount + 7, 1, "apex_leaves"},
      {kApex + 63, 0x74, "apex_leaves[1]"},
      {kChallengeCount, 9, "challenge_proofs"},
      {kChallengeCount + 4, 1, "challenge_proofs"},
      {kFirst, 1, "challenge_proofs[0].proof_r_old.data"},
      {kFirst + 4 + 31, 0x80, "challenge_proofs[0].proof_r_old.root"},
      {kFirst + 4 + 63, 0x80, "challenge_proofs[0].proof_r_old.leaf"},
      {kDataProof, 2, "challenge_proofs[0].proof_d_new.data"},
  };
  for (const Damage& damage : damages) {
    auto bytes = recorded();
    bytes[damage.at] = damage.value;
    const auto read = parse_vanilla_update(bytes, test::two_kib(), "v.bin");
    ASSERT_FALSE(read) << damage.section;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(read.error().section, damage.section) << read.error().describe();
    EXPECT_EQ(read.error().file, "v.bin");
    ASSERT_TRUE(read.error().offset);
    EXPECT_LE(*read.error().offset, damage.at);
  }
}

TEST(VanillaUpdate, RefusesEveryTruncationAndWhatFollows) {
  const auto bytes = recorded();
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    EXPECT_FALSE(parse_vanilla_update(std::span(bytes).first(size), test::two_kib(), "x")) << size;
  }
  auto longer = bytes;
  longer.push_back(0);
  const auto read = parse_vanilla_update(longer, test::two_kib(), "x");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().offset, bytes.size());
}

TEST(VanillaUpdate, RefusesProofsOfAnotherSize) {
  for (const char* size : {"4KiB", "16KiB", "8MiB", "32GiB"}) {
    EXPECT_FALSE(parse_vanilla_update(recorded(), **find_sector(size), "x")) << size;
  }
}

}  // namespace
}  // namespace belfry::filecoin
