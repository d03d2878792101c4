#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/gadgets/number.h"
#include "belfry/hash/poseidon.h"
#include "belfry/hash/poseidon_core.h"
#include "belfry/hash/poseidon_lanes.h"
#include "belfry/r1cs/lane_values.h"
#include "belfry/r1cs/shape_builder.h"

namespace belfry::gadgets {

namespace detail {

/// Records the rows of one hash up to its result, which is a linear combination.
[[nodiscard]] r1cs::LinearCombination record_poseidon(r1cs::ShapeBuilder& cs,
                                                      std::span<const r1cs::Variable> elements,
                                                      const Fr& tag);

/// Appends what passes by in the plain hash as the aux of the circuit: the base of an S-box where
/// it is no variable yet, then its powers.
template <class Cs>
struct PoseidonWitness {
  Cs& cs;

  void first_round(const hash::poseidon_core::Sbox& sbox) const {
    (void)cs.alloc_field(sbox.square);
    (void)cs.alloc_field(sbox.fourth);
    (void)cs.alloc_field(sbox.output);
  }
  void later_round(const hash::poseidon_core::Sbox& sbox) const {
    (void)cs.alloc_field(sbox.base);
    first_round(sbox);
  }
};

/// The same of blocks filled side by side: what passes by is written where it belongs, the result
/// is returned. Zeros where it does not fit; Cs::finish fails then.
template <class Cs>
[[nodiscard]] r1cs::LaneFr hash_lanes(Cs& cs, std::span<const AllocatedNumber<Cs>> elements,
                                      const Fr& tag) {
  static_assert(r1cs::kWitnessLanes == hash::kPoseidonLanes);
  const hash::PoseidonLanes& lanes = hash::poseidon_lanes(elements.size());
  std::array<const hash::PoseidonLaneElements*, hash::kMaxPoseidonArity> values{};
  for (std::size_t i = 0; i < elements.size(); ++i) values[i] = &elements[i].value().lanes;
  r1cs::LaneFr out;
  if (const auto trace = cs.append_fields(lanes.traced())) {
    lanes.hash(tag, std::span(values).first(elements.size()), *trace, out.lanes);
  }
  return out;
}

}  // namespace detail

/// Poseidon of 1..36 allocated numbers as a circuit: 3·(8·t + R_P - 1) rows of S-boxes and
/// 8·t + R_P - a rows that allocate linear combinations, t = a + 1; as many aux. For a = 2, 4, 8,
/// 11: 311, 377, 505, 598.
///
/// This is the circuit that the Filecoin parameters were made for, with a row in front of every
/// S-box of a linear combination; cheaper ones exist and do not fit. Source: spec gadgets.md 11.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> poseidon(Cs& cs, std::span<const AllocatedNumber<Cs>> elements,
                                           const Fr& tag) {
  BELFRY_ASSERT(!elements.empty() && elements.size() <= hash::kMaxPoseidonArity,
                "Poseidon takes 1 to 36 elements");
  using Lc = typename Cs::Lc;
  Lc result;
  typename Cs::FieldValue value{};
  if constexpr (r1cs::kLanesOf<Cs> > 1) {
    value = detail::hash_lanes(cs, elements, tag);
  } else if constexpr (Cs::kComputesValues) {
    std::array<Fr, hash::kMaxPoseidonArity> values{};
    for (std::size_t i = 0; i < elements.size(); ++i) values[i] = elements[i].value();
    detail::PoseidonWitness<Cs> watcher{cs};
    value =
        hash::poseidon_core::permute(hash::poseidon_constants(elements.size()), tag,
                                     std::span<const Fr>(values).first(elements.size()), watcher);
  } else {
    std::vector<r1cs::Variable> variables;
    for (const auto& element : elements) variables.push_back(element.ref());
    result = detail::record_poseidon(cs, variables, tag);
  }
  const auto out = AllocatedNumber<Cs>::alloc(cs, value);
  cs.enforce(result, Lc{}.plus_one(), Lc{}.plus(out.ref()));
  return out;
}

/// The same with the tag of trees and columns.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> poseidon(Cs& cs, std::span<const AllocatedNumber<Cs>> elements) {
  return poseidon(cs, elements, hash::poseidon_tree_tag(elements.size()));
}

/// Merkle-Damgard over hashes of 36: h = x_0; per chunk of 35: h = H(h, chunk), a short last chunk
/// filled with new aux of value zero. Not used by mainnet circuits. Source: spec gadgets.md 12.2.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> poseidon_chain(Cs& cs,
                                                 std::span<const AllocatedNumber<Cs>> elements) {
  BELFRY_ASSERT(!elements.empty(), "a chain starts with an element");
  std::vector<AllocatedNumber<Cs>> preimage(elements.begin(), elements.begin() + 1);
  elements = elements.subspan(1);
  const auto filler = [] { return Fr::zero(); };
  while (!elements.empty()) {
    const auto chunk = elements.first(std::min(elements.size(), hash::kMaxPoseidonArity - 1));
    elements = elements.subspan(chunk.size());
    preimage.insert(preimage.end(), chunk.begin(), chunk.end());
    while (preimage.size() < hash::kMaxPoseidonArity) {
      preimage.push_back(AllocatedNumber<Cs>::alloc(cs, cs.given(filler)));
    }
    const auto digest = poseidon(cs, std::span<const AllocatedNumber<Cs>>(preimage));
    preimage.assign(1, digest);
  }
  return preimage.front();
}

}  // namespace belfry::gadgets
