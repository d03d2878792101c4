#pragma once

#include <span>

#include "belfry/gadgets/sha256_number.h"
#include "belfry/gadgets/uint64.h"

namespace belfry::gadgets {

/// Parent labels that one label is hashed from; fewer distinct parents repeat cyclically.
inline constexpr std::size_t kLabelParents = 37;

/// The label of a node as a number: SHA-256 of replica_id ‖ layer (32 bits) ‖ node (64 bits), both
/// most significant bit first, zeros to 64 bytes, then 37 parents of 32 bytes.
///
/// @param replica_id  up to 256 Booleans in SHA order, padded with constant false
/// @param parents     one or more lists of up to 256 Booleans in SHA order, padded likewise; used
/// in
///                    turn until there are 37
/// About 522,000 rows. Source: spec gadgets.md 12.4, circuits.md 2.5.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> create_label(Cs& cs, std::span<const Boolean<Cs>> replica_id,
                                               std::span<const Booleans<Cs>> parents,
                                               const Uint32<Cs>& layer, const Uint64<Cs>& node) {
  constexpr std::size_t kNodeBits = 256;
  BELFRY_ASSERT(replica_id.size() <= kNodeBits && !parents.empty(), "a label has its preimage");
  Booleans<Cs> preimage;
  preimage.reserve((2 + kLabelParents) * kNodeBits);
  preimage.assign(replica_id.begin(), replica_id.end());
  preimage.resize(kNodeBits);
  layer.append_bits_be(preimage);
  const auto& node_bits = node.bits_le();
  preimage.insert(preimage.end(), node_bits.rbegin(), node_bits.rend());
  preimage.resize(2 * kNodeBits);
  for (std::size_t i = 0; i < kLabelParents; ++i) {
    const Booleans<Cs>& parent = parents[i % parents.size()];
    BELFRY_ASSERT(parent.size() <= kNodeBits, "a parent has 32 bytes");
    preimage.insert(preimage.end(), parent.begin(), parent.end());
    preimage.resize((3 + i) * kNodeBits);
  }
  return sha256_number(cs, std::move(preimage));
}

}  // namespace belfry::gadgets
