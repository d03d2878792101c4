// Statements, challenges and the check of PoSt vanilla proofs.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "belfry/filecoin/native/ids.h"
#include "belfry/filecoin/post/challenges.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/filecoin/post/job.h"
#include "belfry/filecoin/post/public_inputs.h"
#include "belfry/filecoin/post/synthetic_vanilla.h"
#include "filecoin/recorded_post.h"

namespace belfry::filecoin {
namespace {

Node repeated(std::uint8_t byte) {
  Bytes32 bytes{};
  bytes.fill(byte);
  return *FrBytes::parse(bytes);
}

PostConfig config_of(std::string_view proof) { return find_post_proof(proof)->config(); }

TEST(PostChallenges, EqualTheSpecification) {
  // formats.md 4.4: Curio's golden proof, and the sector of the walk-through.
  const std::vector<std::uint64_t> curio{707914199, 439148358,  967788220, 548708700,  1061661429,
                                         6202012,   1055504637, 389535735, 1000069704, 600088878};
  EXPECT_EQ(post_challenges(config_of("StackedDrgWindow32GiBV1"), repeated(0), {1}), curio);
  EXPECT_EQ(post_challenges(config_of("StackedDrgWindow32GiBV1_2"), repeated(0), {1}), curio);
  const std::vector<std::uint64_t> small{15, 30, 60, 40, 31, 45, 14, 18, 34, 2};
  EXPECT_EQ(post_challenges(config_of("StackedDrgWindow2KiBV1_2"), repeated(3), {1}), small);
  const auto winning = post_challenges(config_of("StackedDrgWinning2KiBV1"), repeated(3), {1});
  ASSERT_EQ(winning.size(), 66U);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), winning.begin()));
  // The recorded 32 GiB proof of the reference's API, sector 132.
  const auto randomness = FrBytes::parse(
      *bytes32_from_hex("2fb40fd7043336d645cd138963c6f960f649db53a0f532e264598e9f53e2ed23"));
  const std::vector<std::uint64_t> recorded{396119802, 277217811, 436245381, 243087716, 706056829,
                                            128152768, 598990178, 81580961,  470132133, 332920863};
  EXPECT_EQ(post_challenges(config_of("StackedDrgWindow32GiBV1_2"), *randomness, {132}), recorded);
}

TEST(PostChallenges, PositionCountsUntilVersion12) {
  const Node randomness = repeated(3);
  const PostConfig old = config_of("StackedDrgWindow2KiBV1");
  const PostConfig current = config_of("StackedDrgWindow2KiBV1_2");
  const auto shifted = post_challenges(old, randomness, {7, 3});
  for (std::uint64_t n = 0; n < kWindowChallenges; ++n) {
    EXPECT_EQ(shifted[n], post_challenge(randomness, 7, 3 * kWindowChallenges + n, 64));
  }
  EXPECT_NE(shifted, post_challenges(old, randomness, {7, 0}));
  EXPECT_EQ(post_challenges(current, randomness, {7, 3}),
            post_challenges(current, randomness, {7, 0}));
  const PostConfig between{PostKind::kWindow, old.sector, ApiVersion::kV1_1};
  EXPECT_EQ(post_challenges(between, randomness, {7, 3}), shifted);
}

TEST(PostChallenges, WinningSectorIsDrawnByMinerAndRandomness) {
  // formats.md 4.4: 12251920388668790537 mod 5.
  EXPECT_EQ(winning_sector(prover_id(1000), repeated(3), 0, 5), 2U);
  EXPECT_EQ(winning_sector(prover_id(1000), repeated(3), 0, UINT64_MAX), 12251920388668790537U);
  EXPECT_EQ(winning_sector(prover_id(1000), repeated(3), 0, 1), 0U);
}

PostStatement window_of(std::vector<std::uint64_t> numbers, const char* proof) {
  PostStatement statement{.config = config_of(proof), .randomness = repeated(3), .sectors = {}};
  for (const std::uint64_t number : numbers) {
    statement.sectors.push_back({number, FrBytes(Fr::from_u64(1000 + number))});
  }
  return statement;
}

TEST(PostPublicInputs, LastSectorFillsThePartition) {
  const PostStatement statement = window_of({1, 2, 7}, "StackedDrgWindow2KiBV1");
  EXPECT_EQ(statement.partitions(), 2U);
  const auto first = *post_public_inputs(statement, 0);
  const auto last = *post_public_inputs(statement, 1);
  ASSERT_EQ(first.size(), 22U);
  ASSERT_EQ(last.size(), 22U);
  EXPECT_EQ(first[0], Fr::from_u64(1001));
  EXPECT_EQ(first[11], Fr::from_u64(1002));
  EXPECT_EQ(last[0], Fr::from_u64(1007));
  EXPECT_TRUE(std::equal(last.begin(), last.begin() + 11, last.begin() + 11));
  // The third sector stands at place 2 of the list.
  EXPECT_EQ(last[1], Fr::from_u64(post_challenge(statement.randomness, 7, 20, 64)));
  EXPECT_EQ(post_public_inputs(statement, 2).error().code, ErrorCode::kInvalidInput);
}

TEST(PostPublicInputs, PartitionProvedAloneKeepsItsPlace) {
  const PostStatement whole = window_of({1, 2, 7}, "StackedDrgWindow2KiBV1");
  PostStatement alone = window_of({7}, "StackedDrgWindow2KiBV1");
  alone.first_partition = 1;
  EXPECT_EQ(*post_public_inputs(alone, 0), *post_public_inputs(whole, 1));
  alone.first_partition = 0;
  EXPECT_NE(*post_public_inputs(alone, 0), *post_public_inputs(whole, 1));
}

TEST(PostPublicInputs, WinningDerivesSixtySixChallenges) {
  const PostStatement statement = window_of({5}, "StackedDrgWinning2KiBV1");
  const auto inputs = *post_public_inputs(statement, 0);
  ASSERT_EQ(inputs.size(), 132U);
  for (std::uint64_t n = 0; n < kWinningSectors; ++n) {
    EXPECT_EQ(inputs[2 * n], Fr::from_u64(1005));
    EXPECT_EQ(inputs[2 * n + 1], Fr::from_u64(post_challenge(statement.randomness, 5, n, 64)));
  }
}

TEST(PostStatements, RefusesWhatNoPostStates) {
  const auto refused = [](const PostStatement& statement) {
    const auto checked = check_post_statement(statement);
    EXPECT_FALSE(checked);
    EXPECT_FALSE(post_public_inputs(statement, 0));
    return checked ? std::string() : checked.error().describe();
  };
  EXPECT_TRUE(check_post_statement(window_of({1, 2, 7}, "StackedDrgWindow2KiBV1")));
  refused(window_of({}, "StackedDrgWindow2KiBV1"));
  EXPECT_NE(refused(window_of({1, 7, 2}, "StackedDrgWindow2KiBV1")).find("sector 2"),
            std::string::npos);
  EXPECT_NE(refused(window_of({1, 7, 7}, "StackedDrgWindow2KiBV1")).find("sector 7"),
            std::string::npos);
  refused(window_of({}, "StackedDrgWinning2KiBV1"));
  refused(window_of({1, 2}, "StackedDrgWinning2KiBV1"));
  PostStatement late = window_of({1}, "StackedDrgWinning2KiBV1");
  late.first_partition = 1;
  refused(late);
}

/// One claim made wrong, and the section that has to name it.
struct Lie {
  const char* section;
  std::function<void(VanillaPost&)> tell;
};

class PostCheck : public testing::Test {
 protected:
  void expect_refused(const VanillaPost& honest, const Lie& lie, std::uint32_t partition) {
    VanillaPost post = honest;
    lie.tell(post);
    const auto shape = post_shape(post.config.kind, *post.config.sector);
    const auto prepared = prepare_post_partition(shape->layout(), post, partition, executor_);
    ASSERT_FALSE(prepared) << lie.section;
    EXPECT_EQ(prepared.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(prepared.error().section, lie.section);
    EXPECT_FALSE(prepared.error().found.empty());
  }

  Executor executor_{2};
};

TEST_F(PostCheck, NamesPartitionSectorChallengeAndField) {
  const PostConfig config = config_of("StackedDrgWindow2KiBV1");
  const VanillaPost honest = synthetic_post(config, 3, 1, executor_);
  const Node other = FrBytes(Fr::from_u64(77));
  const std::vector<Lie> lies{
      {"partition 1, sector 3, inclusion_proofs[4].path",
       [](VanillaPost& post) { post.sectors[2].inclusions[4].positions[1] ^= 1; }},
      {"partition 1, sector 3, inclusion_proofs[9].root",
       [&](VanillaPost& post) { post.sectors[2].inclusions[9].root = other; }},
      {"partition 1, sector 3, inclusion_proofs[2].path",
       [&](VanillaPost& post) { post.sectors[2].inclusions[2].leaf = other; }},
      {"partition 1, sector 3, inclusion_proofs[3].path",
       [&](VanillaPost& post) { post.sectors[2].inclusions[3].siblings[8] = other; }},
      {"partition 1, sector 3, comm_r", [&](VanillaPost& post) { post.sectors[2].comm_r = other; }},
      {"partition 1, sector 3, comm_r", [&](VanillaPost& post) { post.sectors[2].comm_c = other; }},
      // Swapped commitments: then no path has this root.
      {"partition 1, sector 3, inclusion_proofs[0].root",
       [](VanillaPost& post) { std::swap(post.sectors[2].comm_c, post.sectors[2].comm_r_last); }},
      {"partition 1, sector 3, inclusion_proofs",
       [](VanillaPost& post) { post.sectors[2].inclusions.pop_back(); }},
      // The challenges of another randomness, and of another sector.
      {"partition 1, sector 3, inclusion_proofs[0].path",
       [&](VanillaPost& post) { post.randomness = other; }},
      {"partition 1, sector 4, inclusion_proofs[0].path",
       [](VanillaPost& post) { post.sectors[2].sector_number = 4; }},
  };
  for (const Lie& lie : lies) expect_refused(honest, lie, 1);
  // Two sectors that took each other's commitments.
  expect_refused(
      honest,
      {"partition 0, sector 1, comm_r",
       [](VanillaPost& post) { std::swap(post.sectors[0].comm_r, post.sectors[1].comm_r); }},
      0);
}

TEST_F(PostCheck, NamesTheChallengeOfAWinningPost) {
  const VanillaPost honest = synthetic_post(config_of("StackedDrgWinning2KiBV1"), 1, 1, executor_);
  const Node other = FrBytes(Fr::from_u64(77));
  const std::vector<Lie> lies{
      {"partition 0, sector 1, inclusion_proofs[65].path",
       [&](VanillaPost& post) { post.sectors[0].inclusions[65].leaf = other; }},
      {"partition 0, sector 1, inclusion_proofs[33].root",
       [&](VanillaPost& post) { post.sectors[0].inclusions[33].root = other; }},
      {"partition 0, sector 1, comm_r", [&](VanillaPost& post) { post.sectors[0].comm_r = other; }},
      // The proofs of a WindowPoST of the same sector.
      {"partition 0, sector 1, inclusion_proofs",
       [](VanillaPost& post) { post.sectors[0].inclusions.resize(kWindowChallenges); }},
  };
  for (const Lie& lie : lies) expect_refused(honest, lie, 0);
}

/// Slots are filled eight at a time: the fault of one is that of its challenge alone.
TEST_F(PostCheck, NamesTheChallengeInEveryLane) {
  const VanillaPost honest = synthetic_post(config_of("StackedDrgWinning2KiBV1"), 1, 1, executor_);
  const Node other = FrBytes(Fr::from_u64(77));
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 15U, 62U, 63U, 64U, 65U}) {
    const std::string section =
        "partition 0, sector 1, inclusion_proofs[" + std::to_string(n) + "].path";
    expect_refused(honest,
                   {section.c_str(),
                    [&](VanillaPost& post) {
                      MerkleProof& proof = post.sectors[0].inclusions[n];
                      proof.siblings[n % proof.siblings.size()] = other;
                    }},
                   0);
  }
}

TEST_F(PostCheck, VersionsDoNotMix) {
  // Only the first sector has the same challenges under both rules.
  VanillaPost post = synthetic_post(config_of("StackedDrgWindow2KiBV1_2"), 2, 1, executor_);
  const auto shape = post_shape(PostKind::kWindow, *post.config.sector);
  EXPECT_TRUE(prepare_post_partition(shape->layout(), post, 0, executor_));
  post.config.api = ApiVersion::kV1_0;
  const auto refused = prepare_post_partition(shape->layout(), post, 0, executor_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().section, "partition 0, sector 2, inclusion_proofs[0].path");
}

TEST_F(PostCheck, RefusesTheLayoutOfAnotherCircuit) {
  const VanillaPost post = synthetic_post(config_of("StackedDrgWindow2KiBV1_2"), 1, 1, executor_);
  for (const auto& [kind, size] :
       {std::pair{PostKind::kWinning, "2KiB"}, std::pair{PostKind::kWindow, "8MiB"}}) {
    const auto shape = post_shape(kind, **find_sector(size));
    const auto refused = prepare_post_partition(shape->layout(), post, 0, executor_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  }
}

}  // namespace
}  // namespace belfry::filecoin
