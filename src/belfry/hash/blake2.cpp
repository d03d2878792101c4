#include "belfry/hash/blake2.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include <bit>

#include "belfry/base/assert.h"
#include "belfry/hash/openssl_digest.h"

namespace belfry::hash {
namespace {

struct MacDeleter {
  void operator()(EVP_MAC* mac) const noexcept { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const noexcept { EVP_MAC_CTX_free(context); }
};

constexpr std::size_t kStateWords = 8;
constexpr std::size_t kBlockWords = 16;
constexpr std::size_t kBlockBytes = 8 * kBlockWords;
constexpr std::size_t kRounds = 12;
using Words = std::array<std::uint64_t, kBlockWords>;

/// The order of the message words in each round (RFC 7693, 2.7); rounds 10 and 11 repeat 0 and 1.
constexpr std::array<std::array<std::uint8_t, kBlockWords>, 10> kSigma = {{
    // clang-format off
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    // clang-format on
}};

/// The columns and diagonals that a round mixes.
constexpr std::array<std::array<std::uint8_t, 4>, 8> kMixes = {{{0, 4, 8, 12},
                                                                {1, 5, 9, 13},
                                                                {2, 6, 10, 14},
                                                                {3, 7, 11, 15},
                                                                {0, 5, 10, 15},
                                                                {1, 6, 11, 12},
                                                                {2, 7, 8, 13},
                                                                {3, 4, 9, 14}}};

/// The initial words: the first 64 fractional bits of the square roots of the first eight primes.
constexpr std::array<std::uint64_t, kStateWords> kInitial = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

void mix(Words& v, const std::array<std::uint8_t, 4>& at, std::uint64_t x, std::uint64_t y) {
  // NOLINTBEGIN(readability-magic-numbers): rotations of RFC 7693, 2.1
  const auto half = [&](std::uint64_t word, int first, int second) {
    v[at[0]] += v[at[1]] + word;
    v[at[3]] = std::rotr(v[at[3]] ^ v[at[0]], first);
    v[at[2]] += v[at[3]];
    v[at[1]] = std::rotr(v[at[1]] ^ v[at[2]], second);
  };
  half(x, 32, 24);
  half(y, 16, 63);
  // NOLINTEND(readability-magic-numbers)
}

}  // namespace

Blake2s256::Blake2s256() : context_(detail::begin_digest(EVP_blake2s256())) {}

Blake2s256& Blake2s256::update(ByteSpan bytes) {
  detail::update_digest(context_, bytes);
  return *this;
}

Bytes32 Blake2s256::finish() {
  Bytes32 out{};
  detail::finish_digest(context_, out);
  return out;
}

Blake2b512::Blake2b512() : context_(detail::begin_digest(EVP_blake2b512())) {}

Blake2b512& Blake2b512::update(ByteSpan bytes) {
  detail::update_digest(context_, bytes);
  return *this;
}

Bytes64 Blake2b512::finish() {
  Bytes64 out{};
  detail::finish_digest(context_, out);
  return out;
}

Bytes32 blake2s256(ByteSpan bytes) { return Blake2s256().update(bytes).finish(); }

Bytes64 blake2b512(ByteSpan bytes) { return Blake2b512().update(bytes).finish(); }

Bytes64 blake2b512_block(ByteSpan bytes) noexcept {
  BELFRY_ASSERT(bytes.size() <= kBlockBytes, "one block at most");
  std::array<std::uint8_t, kBlockBytes> block{};
  std::copy(bytes.begin(), bytes.end(), block.begin());
  Words message{};
  for (std::size_t i = 0; i < message.size(); ++i) {
    message[i] = load_le<std::uint64_t>(block.data() + 8 * i);
  }
  // Parameter word: 64 bytes of output, no key, a tree of one leaf.
  constexpr std::uint64_t kParameters = 0x01010040;
  std::array<std::uint64_t, kStateWords> h = kInitial;
  h[0] ^= kParameters;
  Words v{};
  std::copy(h.begin(), h.end(), v.begin());
  std::copy(kInitial.begin(), kInitial.end(), v.begin() + kStateWords);
  constexpr std::size_t kCounterWord = 12;
  constexpr std::size_t kLastBlockWord = 14;
  v[kCounterWord] ^= bytes.size();
  v[kLastBlockWord] = ~v[kLastBlockWord];
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto& order = kSigma[round % kSigma.size()];
    for (std::size_t i = 0; i < kMixes.size(); ++i) {
      mix(v, kMixes[i], message[order[2 * i]], message[order[2 * i + 1]]);
    }
  }
  Bytes64 out{};
  for (std::size_t i = 0; i < h.size(); ++i) {
    store_le(out.data() + 8 * i, h[i] ^ v[i] ^ v[i + kStateWords]);
  }
  return out;
}

Bytes32 blake2b256_keyed(ByteSpan key, std::initializer_list<ByteSpan> parts) {
  constexpr std::size_t kMaxKeyBytes = 64;
  BELFRY_ASSERT(!key.empty() && key.size() <= kMaxKeyBytes, "a BLAKE2b key has 1 to 64 bytes");
  const std::unique_ptr<EVP_MAC, MacDeleter> mac(EVP_MAC_fetch(nullptr, "BLAKE2BMAC", nullptr));
  BELFRY_ASSERT(mac != nullptr, "this OpenSSL lacks keyed BLAKE2b");
  const std::unique_ptr<EVP_MAC_CTX, MacDeleter> context(EVP_MAC_CTX_new(mac.get()));
  BELFRY_ASSERT(context != nullptr, "no memory for a digest");
  Bytes32 out{};
  std::size_t size = out.size();
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
  bool good = EVP_MAC_init(context.get(), key.data(), key.size(), parameters.data()) == 1;
  for (const ByteSpan part : parts) {
    good = good && EVP_MAC_update(context.get(), part.data(), part.size()) == 1;
  }
  std::size_t written = 0;
  good = good && EVP_MAC_final(context.get(), out.data(), &written, out.size()) == 1;
  BELFRY_ASSERT(good && written == out.size(), "OpenSSL refused a keyed digest");
  return out;
}

}  // namespace belfry::hash
