#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/hash/sha256.h"

namespace belfry::test {

/// A derived file (docs/formats.md) with the digest that its head should have, so that wrong counts
/// in it are read and not refused unread. What is shorter than a head stays as it is.
inline std::vector<std::uint8_t> with_sealed_head(ByteSpan file) {
  constexpr std::size_t kHeadDigestAt = 168;
  std::vector<std::uint8_t> sealed(file.begin(), file.end());
  if (sealed.size() < kHeadDigestAt + sizeof(Bytes32)) return sealed;
  const Bytes32 digest = hash::sha256(file.first(kHeadDigestAt));
  std::ranges::copy(digest, sealed.begin() + kHeadDigestAt);
  return sealed;
}

}  // namespace belfry::test
