#include "belfry/hash/sha256.h"

#include <string>

#include "belfry/hash/sha256_kernels.h"
#include "hash/message.h"
#include "support/vectors.h"

namespace belfry::hash {
namespace {

/// SHA-256 with its padding, over the raw compression function.
Bytes32 sha256_from_blocks(detail::Sha256Kernel kernel, ByteSpan bytes) {
  std::vector<std::uint8_t> padded(bytes.begin(), bytes.end());
  padded.push_back(0x80);
  while (padded.size() % 64 != 56) padded.push_back(0);
  padded.resize(padded.size() + 8);
  store_be(padded.data() + padded.size() - 8, std::uint64_t{bytes.size()} * 8);
  Sha256State state = sha256_initial_state();
  kernel(state.data(), padded.data(), padded.size() / 64);
  return sha256_state_bytes(state);
}

TEST(Sha256, MatchesVectors) {
  const test::JsonFile file("hash/digests.json");
  for (const auto row : file["rows"].get_array()) {
    const auto bytes = test::message(row["length"].get_uint64());
    EXPECT_EQ(to_hex(sha256(bytes)), test::text(row["sha256"]));
  }
}

TEST(Sha256, MatchesFips) {
  EXPECT_EQ(to_hex(sha256(as_bytes("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256(as_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256(as_bytes(std::string(1000000, 'a')))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesAndRestart) {
  const auto bytes = test::message(300);
  Sha256 digest;
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::size_t at = 0;
    for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 107U}) {
      digest.update(std::span(bytes).subspan(at, size));
      at += size;
    }
    ASSERT_EQ(at, bytes.size());
    EXPECT_EQ(digest.finish(), sha256(bytes));
  }
  const ByteSpan all(bytes);
  EXPECT_EQ(sha256({all.first(10), all.subspan(10, 0), all.subspan(10)}), sha256(bytes));
}

TEST(Sha256, ConstantsAreThoseOfTheStandard) {
  EXPECT_EQ(sha256_initial_state().front(), 0x6a09e667U);
  EXPECT_EQ(sha256_initial_state().back(), 0x5be0cd19U);
  EXPECT_EQ(sha256_round_constants().front(), 0x428a2f98U);
  EXPECT_EQ(sha256_round_constants().back(), 0xc67178f2U);
}

TEST(Sha256, EveryKernelMatchesTheDigest) {
  std::vector<detail::Sha256Kernel> kernels = {&detail::sha256_blocks_portable};
  if (detail::has_sha_ni()) kernels.push_back(&detail::sha256_blocks_sha_ni);
  for (const auto kernel : kernels) {
    for (const std::size_t size : {0U, 1U, 55U, 56U, 63U, 64U, 65U, 119U, 120U, 1000U}) {
      const auto bytes = test::message(size);
      EXPECT_EQ(sha256_from_blocks(kernel, bytes), sha256(bytes)) << size;
    }
  }
}

TEST(Sha256, CompressesWordsAsBytes) {
  const auto bytes = test::message(128);
  Sha256State by_bytes = sha256_initial_state();
  sha256_compress(by_bytes, bytes);
  Sha256State by_words = sha256_initial_state();
  for (std::size_t block = 0; block < 2; ++block) {
    Sha256Block words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = load_be<std::uint32_t>(&bytes[64 * block + 4 * i]);
    }
    sha256_compress(by_words, words);
  }
  EXPECT_EQ(by_bytes, by_words);
  Sha256State untouched = sha256_initial_state();
  sha256_compress(untouched, ByteSpan{});
  EXPECT_EQ(untouched, sha256_initial_state());
}

TEST(Sha256, TruncatesToTheField) {
  Bytes32 ones;
  ones.fill(0xff);
  const Bytes32 truncated = trunc254(ones);
  EXPECT_EQ(truncated.back(), 0x3f);
  EXPECT_EQ(truncated.front(), 0xff);
  EXPECT_EQ(FrBytes(fr_trunc254(ones)).bytes(), truncated);
}

TEST(Sha256, NodeOfDataTree) {
  Bytes32 left{};
  Bytes32 right{};
  left[0] = 1;
  // spec formats.md 3.4
  EXPECT_EQ(to_hex(sha256_node(left, right)),
            "16abab341fb7f370e27e4dadcf81766dd0dfd0ae64469477bb2cf6614938b22f");
  const auto bytes = test::message(64);
  std::copy_n(bytes.begin(), 32, left.begin());
  std::copy_n(bytes.begin() + 32, 32, right.begin());
  EXPECT_EQ(sha256_node(left, right), trunc254(sha256(bytes)));
}

}  // namespace
}  // namespace belfry::hash
