#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/field/fr.h"

namespace belfry::hash {

/// The largest number of elements that one Poseidon hash takes here.
inline constexpr std::size_t kMaxPoseidonArity = 36;
/// Full rounds, half of them before and half after the partial ones.
inline constexpr std::size_t kPoseidonFullRounds = 8;

/// What Poseidon over Fr needs for one arity a: width t = a + 1, S-box x^5, strength "standard".
/// Immutable. Matrices are row-major; a state is a row vector, new[j] = Σ_i old[i]·X[i][j].
/// Source: spec gadgets.md 9; Grassi et al., "Poseidon", eprint 2019/458, appendix B for the sparse
/// form.
struct PoseidonConstants {
  std::size_t arity = 0;
  std::size_t width = 0;
  std::size_t partial_rounds = 0;
  std::vector<Fr> round_keys;       ///< as generated, one row a round        // (8 + R_P, t)
  std::vector<Fr> compressed_keys;  ///< moved behind the S-boxes             // (8·t + R_P)
  std::vector<Fr> mds;              ///< M, symmetric                         // (t, t)
  std::vector<Fr> pre_sparse;       ///< P, before the partial rounds         // (t, t)
  std::vector<Fr> sparse_columns;   ///< w_k, column 0 of S_k                 // (R_P, t)
  std::vector<Fr> sparse_rows;      ///< v_k, row 0 of S_k without its corner // (R_P, t - 1)

  /// Keys added before the first S-boxes.                                     // (t)
  [[nodiscard]] std::span<const Fr> pre_keys() const noexcept {
    return std::span(compressed_keys).first(width);
  }
  /// Keys added after the S-boxes of full round 0..6 (the last full round has none).  // (t)
  [[nodiscard]] std::span<const Fr> full_round_keys(std::size_t full_round) const noexcept {
    const std::size_t partial = full_round < kPoseidonFullRounds / 2 ? 0 : partial_rounds;
    return std::span(compressed_keys).subspan(width * (full_round + 1) + partial, width);
  }
  /// The key added after the S-box of a partial round.
  [[nodiscard]] const Fr& partial_round_key(std::size_t round) const noexcept {
    return compressed_keys[width * (kPoseidonFullRounds / 2 + 1) + round];
  }
  [[nodiscard]] std::span<const Fr> sparse_column(std::size_t round) const noexcept {
    return std::span(sparse_columns).subspan(round * width, width);
  }
  [[nodiscard]] std::span<const Fr> sparse_row(std::size_t round) const noexcept {
    return std::span(sparse_rows).subspan(round * (width - 1), width - 1);
  }
};

/// The constants of an arity in 1..kMaxPoseidonArity (anything else is a bug of the caller),
/// derived the first time (milliseconds) and kept. Thread-safe.
[[nodiscard]] const PoseidonConstants& poseidon_constants(std::size_t arity);

/// Domain tags, the first element of the state (spec gadgets.md 9.2): 2^arity - 1 for trees and
/// columns, id·2^40 for the custom type (1 <= id <= 256).
[[nodiscard]] Fr poseidon_tree_tag(std::size_t arity) noexcept;
[[nodiscard]] Fr poseidon_custom_tag(std::uint64_t id) noexcept;

/// The Poseidon hash of 1..kMaxPoseidonArity elements, with the tree tag or a given one. In the
/// optimised form (spec gadgets.md 10): 8·t·(t + 3) + R_P·(2·t + 2) multiplications. Thread-safe,
/// does not allocate once the constants exist.
[[nodiscard]] Fr poseidon(std::span<const Fr> elements);
[[nodiscard]] Fr poseidon(std::span<const Fr> elements, const Fr& tag);
/// The same with the constants at hand: saves the look-up in loops.
[[nodiscard]] Fr poseidon(const PoseidonConstants& constants, const Fr& tag,
                          std::span<const Fr> elements) noexcept;

/// The definition: every round adds its keys and multiplies by M. The reference for the above.
[[nodiscard]] Fr poseidon_textbook(std::span<const Fr> elements, const Fr& tag);

}  // namespace belfry::hash
