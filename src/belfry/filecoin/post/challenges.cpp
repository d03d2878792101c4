#include "belfry/filecoin/post/challenges.h"

#include <array>

#include "belfry/base/assert.h"
#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

std::array<std::uint8_t, sizeof(std::uint64_t)> little_endian(std::uint64_t value) noexcept {
  std::array<std::uint8_t, sizeof(std::uint64_t)> out{};
  store_le(out.data(), value);
  return out;
}

/// The first 8 bytes of a digest as a number, reduced.
std::uint64_t reduced(const Bytes32& digest, std::uint64_t modulus) noexcept {
  return load_le<std::uint64_t>(digest.data()) % modulus;
}

}  // namespace

std::uint64_t post_challenge(const Node& randomness, std::uint64_t sector_number,
                             std::uint64_t index, std::uint64_t nodes) {
  return reduced(
      hash::sha256({randomness.bytes(), little_endian(sector_number), little_endian(index)}),
      nodes);
}

std::vector<std::uint64_t> post_challenges(const PostConfig& config, const Node& randomness,
                                           const PostPlace& place) {
  const std::uint64_t count = config.vanilla_challenges();
  const std::uint64_t first = config.api == ApiVersion::kV1_2 ? 0 : place.position * count;
  std::vector<std::uint64_t> leaves;
  leaves.reserve(count);
  for (std::uint64_t n = 0; n < count; ++n) {
    leaves.push_back(
        post_challenge(randomness, place.sector_number, first + n, config.sector->nodes()));
  }
  return leaves;
}

std::uint64_t winning_sector(const Bytes32& prover_id, const Node& randomness,
                             std::uint64_t candidate, std::uint64_t sectors) {
  BELFRY_ASSERT(sectors > 0, "a choice needs sectors");
  return reduced(hash::sha256({prover_id, randomness.bytes(), little_endian(candidate)}), sectors);
}

}  // namespace belfry::filecoin
