#include "belfry/hash/poseidon.h"

#include "belfry/base/assert.h"
#include "belfry/hash/poseidon_core.h"

namespace belfry::hash {

Fr poseidon_tree_tag(std::size_t arity) noexcept {
  return Fr::from_u64((std::uint64_t{1} << arity) - 1);
}

Fr poseidon_custom_tag(std::uint64_t id) noexcept {
  constexpr unsigned kShift = 40;
  return Fr::from_u64(id << kShift);
}

Fr poseidon(const PoseidonConstants& constants, const Fr& tag,
            std::span<const Fr> elements) noexcept {
  BELFRY_ASSERT(elements.size() == constants.arity, "Poseidon constants of another arity");
  poseidon_core::NoWatcher watcher;
  return poseidon_core::permute(constants, tag, elements, watcher);
}

Fr poseidon(std::span<const Fr> elements, const Fr& tag) {
  return poseidon(poseidon_constants(elements.size()), tag, elements);
}

Fr poseidon(std::span<const Fr> elements) {
  return poseidon(elements, poseidon_tree_tag(elements.size()));
}

Fr poseidon_textbook(std::span<const Fr> elements, const Fr& tag) {
  const PoseidonConstants& c = poseidon_constants(elements.size());
  poseidon_core::State state{};
  state[0] = tag;
  std::copy(elements.begin(), elements.end(), state.begin() + 1);
  const std::size_t rounds = kPoseidonFullRounds + c.partial_rounds;
  for (std::size_t round = 0; round < rounds; ++round) {
    const bool full = round < kPoseidonFullRounds / 2 || round >= rounds - kPoseidonFullRounds / 2;
    for (std::size_t i = 0; i < c.width; ++i) {
      state[i] += c.round_keys[round * c.width + i];
      if (full || i == 0) state[i] = poseidon_core::sbox(state[i], Fr::zero()).output;
    }
    poseidon_core::mix(state, c.mds, c.width);
  }
  return state[1];
}

}  // namespace belfry::hash
