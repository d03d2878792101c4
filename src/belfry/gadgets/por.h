#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "belfry/gadgets/constraint.h"
#include "belfry/gadgets/insert.h"
#include "belfry/gadgets/pack.h"
#include "belfry/gadgets/poseidon.h"
#include "belfry/gadgets/sha256_number.h"

namespace belfry::gadgets {

/// The hash that joins the nodes of a tree.
enum class NodeHash : std::uint8_t { kPoseidon, kSha256 };

/// A path from a leaf to the root, bottom to top. Level l has arity a_l (a power of two), the place
/// of the node among its siblings and the a_l - 1 siblings left to right. A view. An interpreter
/// without values reads the arities alone; the rest may be empty there.
struct MerklePathView {
  std::span<const std::uint32_t> arities;   // (levels)
  std::span<const std::uint8_t> positions;  // (levels)
  std::span<const FrBytes> siblings;        // (sum of a_l - 1)

  /// Bit i of the place at a level.
  [[nodiscard]] bool position_bit(std::size_t level, std::uint32_t i) const noexcept {
    return ((positions[level] >> i) & 1) != 0;
  }
  [[nodiscard]] Fr sibling(std::size_t i) const noexcept { return siblings[i].to_fr(); }
};

/// Paths of the same arities in blocks that are filled side by side. A view.
struct MerklePathLanes {
  std::span<const std::uint32_t> arities;                 // (levels)
  std::array<MerklePathView, r1cs::kWitnessLanes> lanes;  // of these arities each

  [[nodiscard]] r1cs::LaneBit position_bit(std::size_t level, std::uint32_t i) const noexcept {
    r1cs::LaneBit bit;
    for (std::size_t k = 0; k < lanes.size(); ++k) bit.set(k, lanes[k].position_bit(level, i));
    return bit;
  }
  [[nodiscard]] r1cs::LaneFr sibling(std::size_t i) const noexcept {
    r1cs::LaneFr out;
    for (std::size_t k = 0; k < lanes.size(); ++k) out.lanes[k] = lanes[k].sibling(i);
    return out;
  }
};

/// The path of an interpreter's block or blocks.
template <class Cs>
using MerklePathOf = std::conditional_t<r1cs::kLanesOf<Cs> == 1, MerklePathView, MerklePathLanes>;

/// The parent of `children` in a tree.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> hash_node(Cs& cs, NodeHash hash,
                                            std::span<const AllocatedNumber<Cs>> children) {
  if constexpr (r1cs::kLanesOf<Cs> == 1) {
    if (hash == NodeHash::kSha256) return sha256_of_numbers(cs, children);
  }
  BELFRY_ASSERT(hash == NodeHash::kPoseidon, "SHA-256 has no lanes");
  return poseidon(cs, children);
}

/// A number that is allocated already, or one that is allocated where `allocated` is called first.
/// Source: spec gadgets.md 13.7.
template <class Cs>
class Root {
 public:
  [[nodiscard]] static Root variable(const AllocatedNumber<Cs>& number) {
    Root root;
    root.number_ = number;
    return root;
  }
  [[nodiscard]] static Root value(const typename Cs::FieldValue& value) {
    Root root;
    root.value_ = value;
    return root;
  }
  [[nodiscard]] AllocatedNumber<Cs> allocated(Cs& cs) {
    if (!number_) number_ = AllocatedNumber<Cs>::alloc(cs, value_);
    return *number_;
  }

 private:
  Root() = default;

  std::optional<AllocatedNumber<Cs>> number_;
  typename Cs::FieldValue value_{};
};

namespace detail {

/// The bits of the place at a level, least significant first, as new aux.
template <class Cs>
[[nodiscard]] Booleans<Cs> alloc_position(Cs& cs, const MerklePathOf<Cs>& path, std::size_t level) {
  Booleans<Cs> bits;
  for (std::uint32_t i = 0; std::uint32_t{1} << i < path.arities[level]; ++i) {
    const auto value = cs.given([&] { return path.position_bit(level, i); });
    bits.push_back(Boolean<Cs>::alloc(cs, value));
  }
  return bits;
}

/// `count` siblings from number `first` on, as new aux.
template <class Cs>
[[nodiscard]] Numbers<Cs> alloc_siblings(Cs& cs, const MerklePathOf<Cs>& path, std::size_t first,
                                         std::size_t count) {
  Numbers<Cs> siblings;
  for (std::size_t i = first; i < first + count; ++i) {
    const auto value = cs.given([&] { return path.sibling(i); });
    siblings.push_back(AllocatedNumber<Cs>::alloc(cs, value));
  }
  return siblings;
}

}  // namespace detail

/// Climbs from `leaf` to the root that the path leads to. Per level: index bits (least significant
/// first), siblings, insert, hash. Appends the index bits. Source: spec gadgets.md 14.2.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> climb(Cs& cs, NodeHash hash, const AllocatedNumber<Cs>& leaf,
                                        const MerklePathOf<Cs>& path, Booleans<Cs>& index_bits) {
  AllocatedNumber<Cs> node = leaf;
  std::size_t next_sibling = 0;
  for (std::size_t level = 0; level < path.arities.size(); ++level) {
    const std::uint32_t arity = path.arities[level];
    BELFRY_ASSERT(arity >= 2 && std::has_single_bit(arity), "an arity is a power of two");
    const auto bits = detail::alloc_position(cs, path, level);
    index_bits.insert(index_bits.end(), bits.begin(), bits.end());
    const auto siblings = detail::alloc_siblings(cs, path, next_sibling, arity - 1);
    next_sibling += siblings.size();
    const Numbers<Cs> children = insert<Cs>(cs, node, bits, siblings);
    node = hash_node<Cs>(cs, hash, children);
  }
  return node;
}

/// Whether the root of a PoR is a public input, or known to the outer circuit alone.
enum class RootVisibility : std::uint8_t { kPublic, kPrivate };

/// Proof of retrievability: the leaf lies under the root at the index that becomes one public
/// input, followed by the root if it is public. Source: spec gadgets.md 14.3.
template <class Cs>
void prove_retrievable(Cs& cs, NodeHash hash, Root<Cs> leaf, const MerklePathOf<Cs>& path,
                       Root<Cs> root, RootVisibility visibility) {
  Booleans<Cs> index_bits;
  const auto computed = climb(cs, hash, leaf.allocated(cs), path, index_bits);
  pack_into_inputs(cs, index_bits);
  const auto expected = root.allocated(cs);
  enforce_equal(cs, computed, expected);
  if (visibility == RootVisibility::kPublic) expected.inputize(cs);
}

/// The form inside other circuits: leaf and root are their numbers, the root stays private. One
/// input, the leaf index. Source: spec circuits.md 1.1.
template <class Cs>
void prove_inclusion(Cs& cs, NodeHash hash, const AllocatedNumber<Cs>& leaf,
                     const MerklePathOf<Cs>& path, const AllocatedNumber<Cs>& root) {
  prove_retrievable(cs, hash, Root<Cs>::variable(leaf), path, Root<Cs>::variable(root),
                    RootVisibility::kPrivate);
}

/// A path whose parts are all allocated: index bits least significant first, siblings level by
/// level.
template <class Cs>
struct AllocatedPath {
  std::span<const std::uint32_t> arities;
  std::span<const Boolean<Cs>> index_bits;
  std::span<const AllocatedNumber<Cs>> siblings;
};

/// The leaf lies under the root at the index of the path's bits: insert and hash per level, then
/// one row. No new inputs. Source: spec gadgets.md 14.4.
template <class Cs>
void check_path(Cs& cs, NodeHash hash, const AllocatedNumber<Cs>& leaf, AllocatedPath<Cs> path,
                const AllocatedNumber<Cs>& root) {
  AllocatedNumber<Cs> node = leaf;
  for (const std::uint32_t arity : path.arities) {
    BELFRY_ASSERT(arity >= 2 && std::has_single_bit(arity), "an arity is a power of two");
    const auto bits = static_cast<std::size_t>(std::countr_zero(arity));
    BELFRY_ASSERT(path.index_bits.size() >= bits && path.siblings.size() + 1 >= arity,
                  "the path has all its levels");
    const Numbers<Cs> children =
        insert<Cs>(cs, node, path.index_bits.first(bits), path.siblings.first(arity - 1));
    node = hash_node<Cs>(cs, hash, children);
    path.index_bits = path.index_bits.subspan(bits);
    path.siblings = path.siblings.subspan(arity - 1);
  }
  enforce_equal(cs, node, root);
}

}  // namespace belfry::gadgets
