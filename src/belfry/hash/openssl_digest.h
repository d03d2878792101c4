#pragma once

#include <openssl/evp.h>

#include <span>

#include "belfry/base/bytes.h"
#include "belfry/hash/sha256.h"

/// The few OpenSSL calls that the digests of this room share. Private to the room.
namespace belfry::hash::detail {

/// A context at the start of a digest.
[[nodiscard]] DigestContext begin_digest(const EVP_MD* algorithm);
void update_digest(const DigestContext& context, ByteSpan bytes);
/// Writes the digest to `out` (the algorithm's full size) and starts the next one.
void finish_digest(const DigestContext& context, std::span<std::uint8_t> out);
/// The context of a second digest that has taken the same bytes.
[[nodiscard]] DigestContext copy_digest(const DigestContext& context);

}  // namespace belfry::hash::detail
