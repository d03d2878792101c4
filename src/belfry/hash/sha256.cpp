#include "belfry/hash/sha256.h"

#include <bit>

#include "belfry/base/assert.h"
#include "belfry/hash/openssl_digest.h"
#include "belfry/hash/sha256_kernels.h"

namespace belfry::hash {
namespace {

constexpr std::size_t kShaBlockBytes = 64;
constexpr std::size_t kWordBits = 32;
constexpr std::size_t kShaRounds = 64;
__extension__ using Uint128 = unsigned __int128;

/// The first primes, in order.
template <std::size_t N>
constexpr std::array<std::uint32_t, N> first_primes() {
  std::array<std::uint32_t, N> primes{};
  std::size_t found = 0;
  for (std::uint32_t candidate = 2; found < N; ++candidate) {
    bool prime = true;
    for (std::size_t i = 0; i < found; ++i) prime = prime && candidate % primes[i] != 0;
    if (prime) primes[found++] = candidate;
  }
  return primes;
}

/// The first 32 fractional bits of the root of `value` of degree two or three: the largest x with
/// x^degree <= value·2^(32·degree), without its whole part.
constexpr std::uint32_t root_fraction(std::uint32_t value, unsigned degree) {
  const Uint128 target = Uint128{value} << (kWordBits * degree);
  constexpr unsigned kWholeBits = 5;  // the roots of primes up to 311 are below 32
  std::uint64_t root = 0;
  for (unsigned bit = kWordBits + kWholeBits; bit-- > 0;) {
    const std::uint64_t candidate = root | (std::uint64_t{1} << bit);
    Uint128 power = Uint128{candidate} * candidate;
    if (degree == 3) power *= candidate;
    if (power <= target) root = candidate;
  }
  return static_cast<std::uint32_t>(root);
}

template <std::size_t N>
constexpr std::array<std::uint32_t, N> root_fractions(unsigned degree) {
  std::array<std::uint32_t, N> out{};
  const auto primes = first_primes<N>();
  for (std::size_t i = 0; i < N; ++i) out[i] = root_fraction(primes[i], degree);
  return out;
}

constexpr Sha256State kInitialState = root_fractions<8>(2);
constexpr std::array<std::uint32_t, kShaRounds> kRoundConstants = root_fractions<kShaRounds>(3);

detail::Sha256Kernel best_kernel() noexcept {
  static const detail::Sha256Kernel kernel =
      detail::has_sha_ni() ? &detail::sha256_blocks_sha_ni : &detail::sha256_blocks_portable;
  return kernel;
}

// The names of the standard: S and s for the big and small sigmas.
// NOLINTBEGIN(readability-magic-numbers): rotations as FIPS 180-4, 4.1.2 lists them
constexpr std::uint32_t big_sigma0(std::uint32_t x) {
  return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22);
}
constexpr std::uint32_t big_sigma1(std::uint32_t x) {
  return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25);
}
constexpr std::uint32_t small_sigma0(std::uint32_t x) {
  return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
}
constexpr std::uint32_t small_sigma1(std::uint32_t x) {
  return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10);
}
// NOLINTEND(readability-magic-numbers)

void compress_block(std::uint32_t* state, const std::uint8_t* block) {
  std::array<std::uint32_t, kShaRounds> w{};
  constexpr std::size_t kBlockWords = 16;
  constexpr std::size_t kBack15 = 15;
  for (std::size_t i = 0; i < kBlockWords; ++i) w[i] = load_be<std::uint32_t>(block + 4 * i);
  for (std::size_t i = kBlockWords; i < kShaRounds; ++i) {
    w[i] = w[i - kBlockWords] + small_sigma0(w[i - kBack15]) + w[i - 7] + small_sigma1(w[i - 2]);
  }
  std::array<std::uint32_t, 8> v{};
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = state[i];
  for (std::size_t i = 0; i < kShaRounds; ++i) {
    const std::uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
    const std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    const std::uint32_t t1 = v[7] + big_sigma1(v[4]) + choose + kRoundConstants[i] + w[i];
    const std::uint32_t t2 = big_sigma0(v[0]) + majority;
    v = {t1 + t2, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
  }
  for (std::size_t i = 0; i < v.size(); ++i) state[i] += v[i];
}

}  // namespace

namespace detail {

const std::uint32_t* sha256_keys() noexcept { return kRoundConstants.data(); }

void sha256_blocks_portable(std::uint32_t* state, const std::uint8_t* blocks, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) compress_block(state, blocks + kShaBlockBytes * i);
}

}  // namespace detail

Sha256::Sha256() : context_(detail::begin_digest(EVP_sha256())) {}

Sha256& Sha256::update(ByteSpan bytes) {
  detail::update_digest(context_, bytes);
  return *this;
}

Bytes32 Sha256::finish() {
  Bytes32 out{};
  detail::finish_digest(context_, out);
  return out;
}

Bytes32 Sha256::peek() const {
  Bytes32 out{};
  detail::finish_digest(detail::copy_digest(context_), out);
  return out;
}

Bytes32 sha256(ByteSpan bytes) { return Sha256().update(bytes).finish(); }

Bytes32 sha256(std::initializer_list<ByteSpan> parts) {
  Sha256 digest;
  for (const ByteSpan part : parts) digest.update(part);
  return digest.finish();
}

const Sha256State& sha256_initial_state() noexcept { return kInitialState; }

const std::array<std::uint32_t, 64>& sha256_round_constants() noexcept { return kRoundConstants; }

void sha256_compress(Sha256State& state, const Sha256Block& block) noexcept {
  std::array<std::uint8_t, kShaBlockBytes> bytes{};
  for (std::size_t i = 0; i < block.size(); ++i) store_be(bytes.data() + 4 * i, block[i]);
  best_kernel()(state.data(), bytes.data(), 1);
}

void sha256_compress(Sha256State& state, ByteSpan blocks) noexcept {
  BELFRY_ASSERT(blocks.size() % kShaBlockBytes == 0, "whole blocks only");
  best_kernel()(state.data(), blocks.data(), blocks.size() / kShaBlockBytes);
}

Bytes32 sha256_state_bytes(const Sha256State& state) noexcept {
  Bytes32 out{};
  for (std::size_t i = 0; i < state.size(); ++i) store_be(out.data() + 4 * i, state[i]);
  return out;
}

Fr fr_trunc254(const Bytes32& digest) noexcept {
  const Bytes32 bytes = trunc254(digest);
  Fr::Limbs limbs{};
  for (std::size_t i = 0; i < limbs.size(); ++i) limbs[i] = load_le<std::uint64_t>(&bytes[8 * i]);
  return Fr::from_canonical(limbs);
}

Bytes32 sha256_node(const Bytes32& left, const Bytes32& right) noexcept {
  // One block of content, one of padding: a one bit, zeros, the length in bits.
  std::array<std::uint8_t, 2 * kShaBlockBytes> blocks{};
  for (std::size_t i = 0; i < left.size(); ++i) {
    blocks[i] = left[i];
    blocks[left.size() + i] = right[i];
  }
  blocks[kShaBlockBytes] = 0x80;
  store_be(blocks.data() + blocks.size() - 8, std::uint64_t{8 * kShaBlockBytes});
  Sha256State state = kInitialState;
  sha256_compress(state, blocks);
  return trunc254(sha256_state_bytes(state));
}

}  // namespace belfry::hash
