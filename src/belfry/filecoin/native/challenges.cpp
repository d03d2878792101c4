#include "belfry/filecoin/native/challenges.h"

#include <algorithm>
#include <array>

#include "belfry/hash/blake2.h"
#include "belfry/hash/chacha.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint64_t kSyntheticSetSize = std::uint64_t{1} << 18;
constexpr std::string_view kGenerationKey = "filecoin.io|PoRep|1|Synthetic|1|Generation";
constexpr std::string_view kSelectionKey = "filecoin.io|PoRep|1|Synthetic|1|Selection";
constexpr std::string_view kNonInteractiveTag = "filecoin.io|PoRep|1|NonInteractive|1";
constexpr hash::ChaCha::Nonce kSyntheticNonce{'s', 'y', 'n', 't', 'h', '-',
                                              'p', 'o', 'r', 'e', 'p', 0};

std::array<std::uint8_t, sizeof(std::uint32_t)> little_endian(std::uint32_t value) noexcept {
  std::array<std::uint8_t, sizeof(std::uint32_t)> out{};
  store_le(out.data(), value);
  return out;
}

/// (z mod (nodes - 1)) + 1 of a 256-bit little-endian z: node 0 is never challenged.
std::uint64_t to_node(const Bytes32& z, std::uint64_t nodes) noexcept {
  std::uint64_t remainder = 0;
  // nodes is at most 2^31, so the remainder leaves room for one more byte.
  for (std::size_t i = z.size(); i-- > 0;) remainder = ((remainder << 8) | z[i]) % (nodes - 1);
  return remainder + 1;
}

}  // namespace

std::uint64_t interactive_challenge(std::uint64_t nodes, const Node& replica_id,
                                    const Bytes32& seed, std::uint32_t j) {
  return to_node(hash::sha256({replica_id.bytes(), seed, little_endian(j)}), nodes);
}

std::uint64_t non_interactive_challenge(std::uint64_t nodes, const Node& replica_id,
                                        const Node& comm_r, std::uint32_t j) {
  return to_node(hash::sha256({as_bytes(kNonInteractiveTag), replica_id.bytes(), comm_r.bytes(),
                               little_endian(j)}),
                 nodes);
}

std::uint64_t SyntheticSet::production_size(std::uint64_t nodes) noexcept {
  return std::min(nodes, kSyntheticSetSize);
}

SyntheticSet::SyntheticSet(std::uint64_t nodes, std::uint64_t size, const Node& replica_id,
                           const Node& comm_r)
    : nodes_(nodes),
      size_(size),
      replica_id_(replica_id),
      generation_key_(
          hash::blake2b256_keyed(as_bytes(kGenerationKey), {replica_id.bytes(), comm_r.bytes()})) {}

std::uint64_t SyntheticSet::challenge(std::uint64_t i) const {
  hash::ChaCha stream = hash::ChaCha::chacha20(generation_key_, kSyntheticNonce);
  Bytes32 z{};
  stream.seek(z.size() * i);
  stream.read(z);
  return to_node(z, nodes_);
}

std::uint64_t SyntheticSet::selected(const Bytes32& seed, std::uint32_t j) const {
  const Bytes32 key = hash::blake2b256_keyed(as_bytes(kSelectionKey), {replica_id_.bytes(), seed});
  hash::ChaCha stream = hash::ChaCha::chacha20(key, kSyntheticNonce);
  stream.seek(sizeof(std::uint32_t) * std::uint64_t{j});
  return stream.next_u32() % size_;
}

std::vector<std::uint64_t> porep_challenges(const PorepConfig& config,
                                            const ChallengeInputs& inputs,
                                            std::uint32_t partition) {
  const std::uint64_t nodes = config.sector->nodes();
  const std::uint32_t count = config.sector->challenges;
  const SyntheticSet synthetic(nodes, SyntheticSet::production_size(nodes), inputs.replica_id,
                               inputs.comm_r);
  std::vector<std::uint64_t> out;
  for (std::uint32_t j = count * partition; j < count * (partition + 1); ++j) {
    switch (config.feature) {
      case PorepFeature::kInteractive:
        out.push_back(interactive_challenge(nodes, inputs.replica_id, inputs.seed, j));
        break;
      case PorepFeature::kSynthetic:
        out.push_back(synthetic.challenge(synthetic.selected(inputs.seed, j)));
        break;
      case PorepFeature::kNonInteractive:
        out.push_back(non_interactive_challenge(nodes, inputs.replica_id, inputs.comm_r, j));
        break;
    }
  }
  return out;
}

}  // namespace belfry::filecoin
