#include "belfry/hash/blake2.h"

#include "hash/message.h"
#include "support/vectors.h"

namespace belfry::hash {
namespace {

TEST(Blake2, MatchesVectors) {
  const test::JsonFile file("hash/digests.json");
  const std::string key = test::text(file["key"]);
  for (const auto row : file["rows"].get_array()) {
    const auto bytes = test::message(row["length"].get_uint64());
    EXPECT_EQ(to_hex(blake2s256(bytes)), test::text(row["blake2s256"]));
    EXPECT_EQ(to_hex(blake2b512(bytes)), test::text(row["blake2b512"]));
    EXPECT_EQ(to_hex(blake2b256_keyed(as_bytes(key), {bytes})),
              test::text(row["blake2b256_keyed"]));
  }
}

TEST(Blake2, PiecesAndRestart) {
  const auto bytes = test::message(200);
  const ByteSpan all(bytes);
  Blake2s256 small;
  Blake2b512 big;
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(small.update(all.first(65)).update(all.subspan(65)).finish(), blake2s256(bytes));
    EXPECT_EQ(big.update(all.first(129)).update(all.subspan(129)).finish(), blake2b512(bytes));
  }
  const ByteSpan key = all.first(64);
  EXPECT_EQ(blake2b256_keyed(key, {all.first(3), all.subspan(3)}), blake2b256_keyed(key, {all}));
  EXPECT_NE(blake2b256_keyed(key, {all}), blake2b256_keyed(key.first(63), {all}));
}

TEST(Blake2, OneBlockMatchesTheLongForm) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 16U, 63U, 64U, 65U, 127U, 128U}) {
    const auto bytes = test::message(size);
    EXPECT_EQ(blake2b512_block(bytes), blake2b512(bytes)) << size;
  }
}

TEST(Blake2DeathTest, RefusesOurOwnMistakes) {
  const auto bytes = test::message(129);
  EXPECT_DEATH((void)blake2b512_block(bytes), "one block at most");
  EXPECT_DEATH((void)blake2b256_keyed(ByteSpan{}, {bytes}), "1 to 64 bytes");
  EXPECT_DEATH((void)blake2b256_keyed(ByteSpan(bytes).first(65), {bytes}), "1 to 64 bytes");
}

}  // namespace
}  // namespace belfry::hash
