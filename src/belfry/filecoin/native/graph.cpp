#include "belfry/filecoin/native/graph.h"

#include <algorithm>
#include <bit>
#include <span>

#include "belfry/hash/blake2.h"
#include "belfry/hash/chacha.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

/// Edges between the five copies that a node has in the metagraph (degree 6 less the predecessor).
constexpr std::uint64_t kMetaDegree = kDrgParents - 1;
constexpr std::size_t kSeedBytes = 28;
constexpr std::size_t kWord = sizeof(std::uint64_t);

/// One sampled parent of `node`: a distance in the metagraph, log-uniform by buckets.
std::uint64_t sample_parent(std::uint64_t node, hash::ChaCha& rng) {
  const std::uint64_t meta = kMetaDegree * node;
  // 5·node is no power of two, so its bit length is ceil(log2).
  const auto buckets = static_cast<std::uint64_t>(std::bit_width(meta));
  const std::uint64_t bucket = rng.next_u64() % buckets + 1;
  const std::uint64_t largest = std::min(meta, std::uint64_t{1} << bucket);
  const std::uint64_t smallest = std::max<std::uint64_t>(2, largest >> 1);
  const std::uint64_t distance = smallest + rng.next_u64() % (largest - smallest + 1);
  const std::uint64_t parent = (meta - distance) / kMetaDegree;
  return parent == node ? node - 1 : parent;
}

std::uint64_t feistel_round(std::uint64_t half, std::uint64_t key, std::uint64_t mask) noexcept {
  std::array<std::uint8_t, 2 * kWord> message{};
  store_be(message.data(), half);
  store_be(message.data() + kWord, key);
  return load_be<std::uint64_t>(hash::blake2b512_block(message).data()) & mask;
}

}  // namespace

Graph::Graph(std::uint64_t nodes, const Bytes32& porep_id, ApiVersion api)
    : nodes_(nodes), api_(api), half_bits_(1) {
  const Bytes32 drg = hash::sha256({as_bytes("Filecoin_DRSample"), porep_id});
  std::copy_n(drg.begin(), kSeedBytes, drg_seed_.begin());
  const Bytes32 feistel = hash::sha256({as_bytes("Filecoin_Feistel"), porep_id});
  for (std::size_t i = 0; i < feistel_keys_.size(); ++i) {
    feistel_keys_[i] = load_le<std::uint64_t>(feistel.data() + kWord * i);
  }
  const std::uint64_t edges = kExpanderParents * nodes_;
  while ((std::uint64_t{1} << (2 * half_bits_)) < edges) ++half_bits_;
}

std::array<std::uint64_t, kDrgParents> Graph::drg_parents(std::uint64_t node) const {
  std::array<std::uint64_t, kDrgParents> parents{};
  if (node < 2) return parents;
  Bytes32 seed = drg_seed_;
  store_le(seed.data() + kSeedBytes, static_cast<std::uint32_t>(node));
  hash::ChaCha rng = hash::ChaCha::chacha8(seed);
  const bool predecessor_first = api_ != ApiVersion::kV1_0;
  const std::size_t first = predecessor_first ? 1 : 0;
  for (std::size_t i = 0; i < kMetaDegree; ++i) parents[first + i] = sample_parent(node, rng);
  parents[predecessor_first ? 0 : kMetaDegree] = node - 1;
  return parents;
}

void Graph::tabulate() {
  const std::uint64_t halves = std::uint64_t{1} << half_bits_;
  std::vector<std::uint32_t> rounds;
  rounds.reserve(feistel_keys_.size() * halves);
  for (const std::uint64_t key : feistel_keys_) {
    for (std::uint64_t half = 0; half < halves; ++half) {
      rounds.push_back(static_cast<std::uint32_t>(feistel_round(half, key, halves - 1)));
    }
  }
  rounds_ = std::move(rounds);
}

std::uint64_t Graph::round(std::size_t which, std::uint64_t half) const noexcept {
  if (!rounds_.empty()) return rounds_[(which << half_bits_) | half];
  return feistel_round(half, feistel_keys_[which], (std::uint64_t{1} << half_bits_) - 1);
}

std::uint64_t Graph::permute(std::uint64_t index) const noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = (index >> half_bits_) & mask;
  std::uint64_t right = index & mask;
  for (std::size_t which = 0; which < feistel_keys_.size(); ++which) {
    const std::uint64_t mixed = left ^ round(which, right);
    left = right;
    right = mixed;
  }
  return (left << half_bits_) | right;
}

std::array<std::uint64_t, kExpanderParents> Graph::expander_parents(std::uint64_t node) const {
  std::array<std::uint64_t, kExpanderParents> parents{};
  const std::uint64_t edges = kExpanderParents * nodes_;
  for (std::size_t i = 0; i < kExpanderParents; ++i) {
    std::uint64_t edge = permute(kExpanderParents * node + i);
    while (edge >= edges) edge = permute(edge);
    // The first release kept 32 bits; old proof types rely on it.
    if (api_ == ApiVersion::kV1_0) edge = static_cast<std::uint32_t>(edge);
    parents[i] = edge / kExpanderParents;
  }
  return parents;
}

Graph::Parents Graph::parents(std::uint64_t node) const {
  Parents out{};
  const auto drg = drg_parents(node);
  const auto expander = expander_parents(node);
  std::copy(drg.begin(), drg.end(), out.begin());
  std::copy(expander.begin(), expander.end(), out.begin() + kDrgParents);
  return out;
}

}  // namespace belfry::filecoin
