#include "belfry/filecoin/native/labels.h"

#include <algorithm>
#include <array>

#include "belfry/base/assert.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {

Node label(const Node& replica_id, std::uint32_t layer, std::uint64_t node,
           std::span<const Node> parents) {
  BELFRY_ASSERT(parents.size() <= kHashedParents, "a label has at most 37 parents");
  constexpr std::size_t kHeaderBytes = 64;
  std::array<std::uint8_t, kHeaderBytes + kHashedParents * kNodeBytes> preimage{};
  std::copy_n(replica_id.bytes().begin(), kNodeBytes, preimage.begin());
  store_be(preimage.data() + kNodeBytes, layer);
  store_be(preimage.data() + kNodeBytes + sizeof layer, node);
  std::size_t size = kHeaderBytes;
  for (const Node& parent : parents) {
    std::copy_n(parent.bytes().begin(), kNodeBytes, preimage.data() + size);
    size += kNodeBytes;
  }
  const Bytes32 digest = hash::trunc254(hash::sha256(std::span(preimage).first(size)));
  // Below 2^254, so canonical.
  return *FrBytes::parse(digest);
}

}  // namespace belfry::filecoin
