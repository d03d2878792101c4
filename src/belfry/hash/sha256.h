#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>

#include "belfry/base/bytes.h"
#include "belfry/field/fr.h"

struct evp_md_ctx_st;

namespace belfry::hash {

/// The owner of an OpenSSL digest context. Without memory or without the algorithm (an OpenSSL
/// built without it) the process ends: nothing can be hashed then.
struct DigestContextDeleter {
  void operator()(evp_md_ctx_st* context) const noexcept;
};
using DigestContext = std::unique_ptr<evp_md_ctx_st, DigestContextDeleter>;

/// SHA-256 of a byte string that arrives in pieces (FIPS 180-4), through OpenSSL.
/// Move-only; one thread at a time. After `finish` the object is as new.
class Sha256 {
 public:
  Sha256();
  Sha256& update(ByteSpan bytes);
  [[nodiscard]] Bytes32 finish();
  /// The digest of the bytes so far; more may follow.
  [[nodiscard]] Bytes32 peek() const;

 private:
  DigestContext context_;
};

/// SHA-256 of one byte string, or of several one after the other. Thread-safe.
[[nodiscard]] Bytes32 sha256(ByteSpan bytes);
[[nodiscard]] Bytes32 sha256(std::initializer_list<ByteSpan> parts);

/// The eight words of the chaining value, a..h.
using Sha256State = std::array<std::uint32_t, 8>;
/// The sixteen words of a block: byte 4i is the most significant one of word i.
using Sha256Block = std::array<std::uint32_t, 16>;

/// The chaining value before the first block, and the constant of each round: the first 32 bits of
/// the fractional parts of the square and cube roots of the first primes (FIPS 180-4, 5.3.3
/// and 4.2.2).
[[nodiscard]] const Sha256State& sha256_initial_state() noexcept;
[[nodiscard]] const std::array<std::uint32_t, 64>& sha256_round_constants() noexcept;

/// state = compress(state, block). Uses the CPU's SHA instructions where it has them. Thread-safe,
/// does not allocate. About 50 ns with them, 200 ns without.
void sha256_compress(Sha256State& state, const Sha256Block& block) noexcept;
/// The same for consecutive blocks of 64 bytes each; `blocks` holds a whole number of them.
void sha256_compress(Sha256State& state, ByteSpan blocks) noexcept;
/// The chaining value as bytes, each word big-endian: the digest after the last block.
[[nodiscard]] Bytes32 sha256_state_bytes(const Sha256State& state) noexcept;

/// Clears the two top bits of byte 31, so that the little-endian number is below 2^254 < r.
[[nodiscard]] constexpr Bytes32 trunc254(Bytes32 digest) noexcept {
  constexpr std::uint8_t kLowBits = 0x3f;
  digest[digest.size() - 1] &= kLowBits;
  return digest;
}
/// The truncated digest as a field element (little-endian).
[[nodiscard]] Fr fr_trunc254(const Bytes32& digest) noexcept;

/// A node of a binary data tree: trunc254(SHA-256(left ‖ right)) (spec formats.md 3.4). Does not
/// allocate.
[[nodiscard]] Bytes32 sha256_node(const Bytes32& left, const Bytes32& right) noexcept;

}  // namespace belfry::hash
