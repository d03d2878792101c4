#include "belfry/filecoin/update/randomness.h"

#include <algorithm>
#include <array>

#include "belfry/hash/poseidon.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint32_t kLimbBits = 64;

Fr g(const Fr& x, const Fr& y) noexcept {
  const std::array<Fr, 2> elements{x, y};
  return hash::poseidon(elements, hash::poseidon_custom_tag(kUpdateTag));
}

/// Bits [from, from + count) of a canonical value, count < 64.
std::uint64_t bit_range(const Fr::Limbs& limbs, std::uint32_t from, std::uint32_t count) noexcept {
  const std::size_t limb = from / kLimbBits;
  const std::uint32_t shift = from % kLimbBits;
  std::uint64_t bits = limbs[limb] >> shift;
  if (shift + count > kLimbBits) bits |= limbs[limb + 1] << (kLimbBits - shift);
  return bits & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

Fr update_phi(const Node& comm_d_new, const Node& comm_r_old) noexcept {
  return g(comm_d_new.to_fr(), comm_r_old.to_fr());
}

Fr update_rho(const Fr& phi, std::uint64_t high) noexcept { return g(phi, Fr::from_u64(high)); }

std::uint64_t update_high_bits(const UpdateParams& params, std::uint64_t node) noexcept {
  return node >> (params.node_bits() - params.high_bits);
}

std::vector<Fr> update_rhos(const UpdateParams& params, const Fr& phi) {
  std::vector<Fr> rhos(std::size_t{1} << params.high_bits);
  for (std::size_t high = 0; high < rhos.size(); ++high) rhos[high] = update_rho(phi, high);
  return rhos;
}

std::vector<std::uint64_t> update_challenges(const UpdateParams& params, const Node& comm_r_new,
                                             std::uint32_t partition) {
  const Fr comm_r = comm_r_new.to_fr();
  const std::uint32_t bits = params.random_bits();
  const std::uint32_t per_digest = params.challenges_per_digest();
  const std::uint64_t top = std::uint64_t{partition} << bits;
  std::vector<std::uint64_t> out;
  out.reserve(params.challenges);
  std::uint64_t digest_index = std::uint64_t{partition} * params.digests();
  while (out.size() < params.challenges) {
    const Fr::Limbs digest = g(comm_r, Fr::from_u64(digest_index++)).to_canonical();
    const auto left = static_cast<std::uint32_t>(params.challenges - out.size());
    for (std::uint32_t i = 0; i < std::min(per_digest, left); ++i) {
      out.push_back(bit_range(digest, i * bits, bits) | top);
    }
  }
  return out;
}

}  // namespace belfry::filecoin
