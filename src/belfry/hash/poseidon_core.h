#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "belfry/field/fr.h"
#include "belfry/hash/fr_products.h"
#include "belfry/hash/poseidon.h"

/// The optimised Poseidon permutation with a watcher. The plain hash watches nothing; the circuit's
/// witness (gadgets/poseidon.h) is exactly what passes by here, so the arithmetic exists once.
namespace belfry::hash::poseidon_core {

/// The powers that an S-box runs through; `output` includes the key behind it.
struct Sbox {
  Fr base;
  Fr square;
  Fr fourth;
  Fr output;
};

/// Sees every S-box in the order of the circuit (spec gadgets.md 11.3), apart from that of element
/// 0 in the first round, which depends on no input, and then the result.
template <class Watcher>
concept SboxWatcher = requires(Watcher& watcher, const Sbox& sbox) {
  watcher.first_round(sbox);
  watcher.later_round(sbox);
};

struct NoWatcher {
  static constexpr void first_round(const Sbox& /*sbox*/) noexcept {}
  static constexpr void later_round(const Sbox& /*sbox*/) noexcept {}
};

using State = std::array<Fr, kMaxPoseidonArity + 1>;

/// base^5 + key
inline Sbox sbox(const Fr& base, const Fr& key) noexcept {
  Sbox s{base, base.square(), {}, {}};
  s.fourth = s.square.square();
  s.output = s.fourth * base + key;
  return s;
}

/// state = state · matrix
inline void mix(State& state, std::span<const Fr> matrix, std::size_t width) noexcept {
  State mixed;
  for (std::size_t j = 0; j < width; ++j) {
    mixed[j] = sum_of_products(state.data(), &matrix[j], width, width);
  }
  state = mixed;
}

/// state = state · S_k
inline void mix_sparse(State& state, const PoseidonConstants& c, std::size_t round) noexcept {
  const std::span<const Fr> row = c.sparse_row(round);
  const Fr first = state[0];
  state[0] = sum_of_products(state.data(), c.sparse_column(round).data(), 1, c.width);
  for (std::size_t i = 1; i < c.width; ++i) state[i] += first * row[i - 1];
}

/// The hash of c.arity elements.
template <SboxWatcher Watcher>
Fr permute(const PoseidonConstants& c, const Fr& tag, std::span<const Fr> elements,
           Watcher& watcher) noexcept {
  constexpr std::size_t kHalf = kPoseidonFullRounds / 2;
  const std::size_t t = c.width;
  State state{};
  state[0] = sbox(tag + c.pre_keys()[0], c.full_round_keys(0)[0]).output;
  for (std::size_t i = 1; i < t; ++i) {
    const Sbox s = sbox(elements[i - 1] + c.pre_keys()[i], c.full_round_keys(0)[i]);
    watcher.first_round(s);
    state[i] = s.output;
  }
  mix(state, c.mds, t);
  for (std::size_t round = 1; round < kPoseidonFullRounds; ++round) {
    const bool last = round + 1 == kPoseidonFullRounds;
    for (std::size_t i = 0; i < t; ++i) {
      const Sbox s = sbox(state[i], last ? Fr::zero() : c.full_round_keys(round)[i]);
      watcher.later_round(s);
      state[i] = s.output;
    }
    mix(state, round + 1 == kHalf ? c.pre_sparse : c.mds, t);
    if (round + 1 != kHalf) continue;
    for (std::size_t k = 0; k < c.partial_rounds; ++k) {
      const Sbox s = sbox(state[0], c.partial_round_key(k));
      watcher.later_round(s);
      state[0] = s.output;
      mix_sparse(state, c, k);
    }
  }
  return state[1];
}

}  // namespace belfry::hash::poseidon_core
