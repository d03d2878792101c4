#include "belfry/hash/chacha.h"

#include <openssl/evp.h>

#include <memory>

#include "belfry/hash/blake2.h"
#include "support/vectors.h"

namespace belfry::hash {
namespace {

std::vector<std::uint8_t> read(ChaCha stream, std::size_t size) {
  std::vector<std::uint8_t> out(size);
  stream.read(out);
  return out;
}

Bytes32 counting_key() {
  Bytes32 key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

/// The first bytes of the ChaCha20 keystream, from OpenSSL.
std::vector<std::uint8_t> openssl_chacha20(const Bytes32& key, const ChaCha::Nonce& nonce,
                                           std::size_t size) {
  std::array<std::uint8_t, 16> iv{};
  std::copy(nonce.begin(), nonce.end(), iv.begin() + 4);
  const std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context(EVP_CIPHER_CTX_new(),
                                                                           &EVP_CIPHER_CTX_free);
  EXPECT_EQ(EVP_EncryptInit_ex2(context.get(), EVP_chacha20(), key.data(), iv.data(), nullptr), 1);
  const std::vector<std::uint8_t> zeros(size);
  std::vector<std::uint8_t> out(size);
  int written = 0;
  EXPECT_EQ(
      EVP_EncryptUpdate(context.get(), out.data(), &written, zeros.data(), static_cast<int>(size)),
      1);
  EXPECT_EQ(static_cast<std::size_t>(written), size);
  return out;
}

TEST(ChaCha, ZeroKeyVectors) {
  // draft-strombergson-chacha-test-vectors, TC1 with 256-bit keys: 8 and 20 rounds.
  EXPECT_EQ(to_hex(read(ChaCha::chacha8({}), 64)),
            "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
            "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42");
  EXPECT_EQ(to_hex(read(ChaCha::chacha20({}, {}), 64)),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
}

TEST(ChaCha, TwentyRoundsMatchOpenSsl) {
  ChaCha::Nonce nonce{};
  for (std::size_t i = 0; i < nonce.size(); ++i) nonce[i] = static_cast<std::uint8_t>(200 + i);
  EXPECT_EQ(read(ChaCha::chacha20(counting_key(), nonce), 1000),
            openssl_chacha20(counting_key(), nonce, 1000));
}

TEST(ChaCha, ReadsInPiecesAndFromAnyPlace) {
  const ChaCha stream = ChaCha::chacha8(counting_key());
  const auto whole = read(stream, 400);
  ChaCha pieces = stream;
  std::vector<std::uint8_t> joined;
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 200U, 7U}) {
    std::vector<std::uint8_t> piece(size);
    pieces.read(piece);
    joined.insert(joined.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(joined, whole);
  for (const std::size_t offset : {0U, 1U, 63U, 64U, 65U, 128U, 392U}) {
    ChaCha placed = stream;
    placed.seek(offset);
    EXPECT_EQ(placed.next_u64(), load_le<std::uint64_t>(&whole[offset])) << offset;
    placed.seek(offset);
    EXPECT_EQ(placed.next_u32(), load_le<std::uint32_t>(&whole[offset])) << offset;
  }
}

TEST(ChaCha, WideCounterCarriesIntoTheNextWord) {
  ChaCha stream = ChaCha::chacha8(counting_key());
  stream.seek((std::uint64_t{1} << 38) - 64);  // the last block with a zero high word
  std::vector<std::uint8_t> across(128);
  stream.read(across);
  ChaCha after = ChaCha::chacha8(counting_key());
  after.seek(std::uint64_t{1} << 38);
  EXPECT_EQ(read(after, 64), std::vector<std::uint8_t>(across.begin() + 64, across.end()));
  EXPECT_NE(read(after, 64), read(ChaCha::chacha8(counting_key()), 64));
}

TEST(ChaChaDeathTest, TwentyRoundStreamEnds) {
  ChaCha stream = ChaCha::chacha20({}, {});
  stream.seek((std::uint64_t{1} << 38) - 4);
  (void)stream.next_u32();
  EXPECT_DEATH((void)stream.next_u32(), "ends after");
}

TEST(ChaCha, SyntheticChallengesOfTheReference) {
  // spec formats.md 4.1: 1024 nodes, replica_id 55, comm_r 101; then ten of 21 for the seed 32 x
  // 01.
  Bytes32 replica_id{};
  Bytes32 comm_r{};
  Bytes32 seed{};
  replica_id[0] = 55;
  comm_r[0] = 101;
  seed.fill(1);
  ChaCha::Nonce nonce{};
  const ByteSpan text = as_bytes("synth-porep");
  std::copy(text.begin(), text.end(), nonce.begin());

  ChaCha generation =
      ChaCha::chacha20(blake2b256_keyed(as_bytes("filecoin.io|PoRep|1|Synthetic|1|Generation"),
                                        {replica_id, comm_r}),
                       nonce);
  std::vector<std::uint64_t> synthetic;
  for (int i = 0; i < 21; ++i) {
    Bytes32 draw{};
    generation.read(draw);
    std::uint64_t residue = 0;
    for (std::size_t j = draw.size(); j-- > 0;) residue = (residue * 256 + draw[j]) % 1023;
    synthetic.push_back(residue + 1);
  }
  EXPECT_EQ(synthetic,
            (std::vector<std::uint64_t>{178, 297, 869, 211, 875, 477, 94,  781, 124, 332, 856,
                                        801, 176, 692, 429, 691, 290, 204, 986, 210, 973}));

  ChaCha selection = ChaCha::chacha20(
      blake2b256_keyed(as_bytes("filecoin.io|PoRep|1|Synthetic|1|Selection"), {replica_id, seed}),
      nonce);
  std::vector<std::uint64_t> selected;
  for (int i = 0; i < 10; ++i) selected.push_back(synthetic[selection.next_u32() % 21]);
  EXPECT_EQ(selected,
            (std::vector<std::uint64_t>{176, 781, 801, 986, 290, 211, 692, 856, 986, 332}));
}

}  // namespace
}  // namespace belfry::hash
