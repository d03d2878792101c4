#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "belfry/base/bytes.h"
#include "belfry/hash/sha256.h"

namespace belfry::hash {

using Bytes64 = std::array<std::uint8_t, 64>;

/// BLAKE2s with its full 32-byte output, no key (RFC 7693), through OpenSSL. Move-only; one thread
/// at a time. After `finish` the object is as new.
class Blake2s256 {
 public:
  Blake2s256();
  Blake2s256& update(ByteSpan bytes);
  [[nodiscard]] Bytes32 finish();

 private:
  DigestContext context_;
};

/// BLAKE2b with its full 64-byte output, no key. Rules as above.
class Blake2b512 {
 public:
  Blake2b512();
  Blake2b512& update(ByteSpan bytes);
  [[nodiscard]] Bytes64 finish();

 private:
  DigestContext context_;
};

/// One-shot forms. Thread-safe.
[[nodiscard]] Bytes32 blake2s256(ByteSpan bytes);
[[nodiscard]] Bytes64 blake2b512(ByteSpan bytes);

/// BLAKE2b-512 of at most one block (128 bytes), without OpenSSL and without allocation: the round
/// function of the expander graph calls it 24 times a node. Longer input is a bug of the caller.
[[nodiscard]] Bytes64 blake2b512_block(ByteSpan bytes) noexcept;

/// BLAKE2b with 32 bytes of output under a key of 1 to 64 bytes, over the parts one after the
/// other. Thread-safe. Source: RFC 7693; used for synthetic PoRep challenges (spec
/// circuits.md 2.2).
[[nodiscard]] Bytes32 blake2b256_keyed(ByteSpan key, std::initializer_list<ByteSpan> parts);

}  // namespace belfry::hash
