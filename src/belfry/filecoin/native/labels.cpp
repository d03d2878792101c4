#include "belfry/filecoin/native/labels.h"

#include <algorithm>

#include "belfry/base/assert.h"
#include "belfry/filecoin/native/node_file.h"

namespace belfry::filecoin {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kNodesInBlock = kBlock / kNodeBytes;
constexpr std::size_t kLayerOffset = kNodeBytes;
constexpr std::size_t kNodeOffset = kLayerOffset + sizeof(std::uint32_t);
constexpr std::uint8_t kEndMark = 0x80;

// A list of parents is a number of blocks, so that cycling it means hashing the same blocks again,
// and half a block is left for the end.
static_assert(kDrgParents % kNodesInBlock == 0 && kParents % kNodesInBlock == 0);
static_assert(kHashedParents % kNodesInBlock == 1);

/// Closes a message of `message_bytes`, of which `last` is not hashed yet and leaves room for nine
/// bytes in its block.
Node finish(hash::Sha256State state, ByteSpan last, std::uint64_t message_bytes) noexcept {
  std::array<std::uint8_t, kBlock> block{};
  std::ranges::copy(last, block.begin());
  block.at(last.size()) = kEndMark;
  store_be(block.data() + kBlock - sizeof message_bytes, 8 * message_bytes);
  hash::sha256_compress(state, block);
  return known_node(hash::trunc254(hash::sha256_state_bytes(state)));
}

}  // namespace

Node label(const Node& replica_id, std::uint32_t layer, std::uint64_t node,
           std::span<const Node> parents) {
  BELFRY_ASSERT(parents.size() <= kHashedParents, "a label has at most 37 parents");
  std::array<std::uint8_t, kBlock> header{};
  std::ranges::copy(replica_id.bytes(), header.begin());
  store_be(header.data() + kLayerOffset, layer);
  store_be(header.data() + kNodeOffset, node);
  hash::Sha256State state = hash::sha256_initial_state();
  hash::sha256_compress(state, ByteSpan(header));
  const ByteSpan rest = bytes_of(parents);
  const std::size_t whole = rest.size() / kBlock * kBlock;
  hash::sha256_compress(state, rest.first(whole));
  return finish(state, rest.subspan(whole), kBlock + rest.size());
}

LayerLabels::LayerLabels(const Node& replica_id, std::uint32_t layer) noexcept
    : parents_(layer == 1 ? kDrgParents : kParents) {
  std::ranges::copy(replica_id.bytes(), header_.begin());
  store_be(header_.data() + kLayerOffset, layer);
}

hash::Sha256State LayerLabels::begin(std::uint64_t node) const noexcept {
  Block header = header_;
  store_be(header.data() + kNodeOffset, node);
  hash::Sha256State state = hash::sha256_initial_state();
  hash::sha256_compress(state, ByteSpan(header));
  return state;
}

Node LayerLabels::first() const noexcept { return finish(begin(0), {}, kBlock); }

Node LayerLabels::label(std::uint64_t node, std::span<const Node> parents) const noexcept {
  BELFRY_ASSERT(node > 0 && parents.size() == parents_, "6 or 14 parents");
  hash::Sha256State state = begin(node);
  std::size_t left = kHashedParents - 1;
  while (left > 0) {
    const std::size_t now = std::min(left, parents.size());
    hash::sha256_compress(state, bytes_of(parents.first(now)));
    left -= now;
  }
  const std::size_t last = (kHashedParents - 1) % parents.size();
  return finish(state, bytes_of(parents.subspan(last, 1)),
                kBlock + std::uint64_t{kHashedParents} * kNodeBytes);
}

}  // namespace belfry::filecoin
