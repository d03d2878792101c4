#include "belfry/filecoin/native/pieces.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "filecoin/cases.h"
#include "filecoin/sealed_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

TEST(Pieces, ZeroCommitments) {
  EXPECT_EQ(to_hex(zero_commitment(2).bytes()),
            "3731bb99ac689f66eef5973e4a94da188f4ddcae580724fc6f3fd60dfd488333");
  EXPECT_EQ(to_hex(zero_commitment(6).bytes()),
            "fc7e928296e516faade986b28f92d44a4f24b935485223376a799027bc18f833");
  EXPECT_EQ(zero_commitment(0), Node());
}

TEST(Pieces, AlignmentOfTheReference) {
  const std::array<std::array<std::uint64_t, 4>, 6> rows{{{0, 0, 0, 127},
                                                          {127, 254, 127, 0},
                                                          {127, 508, 381, 0},
                                                          {100, 100, 27, 27},
                                                          {200, 200, 54, 54},
                                                          {300, 300, 208, 208}}};
  for (const auto& [written, size, left, right] : rows) {
    const PieceAlignment zeros = piece_alignment(written, size);
    EXPECT_EQ(zeros.left, left) << written;
    EXPECT_EQ(zeros.right, right) << written;
  }
}

TEST(Pieces, EqualTheReference) {
  const Executor executor(1);
  const test::JsonFile json("pieces.json");
  std::size_t count = 0;
  for (const auto row : simdjson::dom::array(json.root())) {
    std::vector<Piece> pieces;
    const auto commitments = simdjson::dom::array(row["piece_commitments"]);
    for (const auto size : simdjson::dom::array(row["unpadded_sizes"])) {
      const auto data = test::sector_data(std::uint64_t(size), 1000 * pieces.size());
      const auto commitment = piece_commitment(data, {.executor = executor});
      ASSERT_TRUE(commitment);
      EXPECT_EQ(to_hex(commitment->bytes()), test::text(commitments.at(pieces.size())));
      pieces.push_back({*commitment, data.size()});
    }
    const SealProof proof = test::seal_proof(test::text(row["registered_proof"]));
    const auto comm_d = comm_d_of_pieces(*proof.sector, pieces);
    ASSERT_TRUE(comm_d) << comm_d.error().describe();
    EXPECT_EQ(to_hex(comm_d->bytes()), test::text(row["comm_d"])) << count;
    ++count;
  }
  EXPECT_GE(count, 5U);
}

TEST(Pieces, RefusesSizesThatAreNone) {
  const Executor executor(1);
  for (const std::size_t size : {0U, 1U, 126U, 128U, 381U}) {
    EXPECT_FALSE(piece_commitment(std::vector<std::uint8_t>(size), {.executor = executor})) << size;
    const std::vector<Piece> pieces{{Node(), 127}, {Node(), size}};
    const auto refused = comm_d_of_pieces(test::two_kib(), pieces);
    ASSERT_FALSE(refused) << size;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(refused.error().section, "pieces[1]");
  }
}

TEST(Pieces, RefusesMoreThanASector) {
  const Node zero = zero_commitment(6);
  EXPECT_TRUE(comm_d_of_pieces(test::two_kib(), std::vector<Piece>{{zero, 2032}}));
  const std::vector<std::vector<Piece>> too_many{{{zero, 4064}},
                                                 {{zero, 2032}, {zero, 127}},
                                                 {{zero, 127}, {zero, 1016}, {zero, 127}},
                                                 {{zero, std::uint64_t{127} << 57U}}};
  for (const auto& pieces : too_many) EXPECT_FALSE(comm_d_of_pieces(test::two_kib(), pieces));
}

}  // namespace
}  // namespace belfry::filecoin
