#pragma once

#include <cstdint>
#include <span>

#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/gadgets/number.h"
#include "belfry/gadgets/por.h"

/// How circuits take the values of vanilla proofs, which are not there while a shape is described:
/// then everything is null or empty, and no interpreter asks for it.
namespace belfry::filecoin {

/// A member of a value that may not be there.
template <class Owner, class Member>
[[nodiscard]] const Member* member(const Owner* owner, Member Owner::* which) noexcept {
  return owner == nullptr ? nullptr : &(owner->*which);
}

/// A node as a new aux variable.
template <class Cs>
[[nodiscard]] gadgets::AllocatedNumber<Cs> alloc_node(Cs& cs, const Node* node) {
  return gadgets::AllocatedNumber<Cs>::alloc(cs, cs.given([&] { return node->to_fr(); }));
}

/// The path of a proof in a tree of these arities.
[[nodiscard]] inline gadgets::MerklePathView path_view(std::span<const std::uint32_t> arities,
                                                       const MerkleProof* proof) noexcept {
  if (proof == nullptr) return {arities, {}, {}};
  return {arities, proof->positions, proof->siblings};
}

}  // namespace belfry::filecoin
