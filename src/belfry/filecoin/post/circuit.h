#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/circuit_cost.h"
#include "belfry/filecoin/circuit_values.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/gadgets/constraint.h"
#include "belfry/gadgets/number.h"
#include "belfry/gadgets/pack.h"
#include "belfry/gadgets/por.h"
#include "belfry/gadgets/poseidon.h"
#include "belfry/r1cs/shape.h"

namespace belfry::filecoin {

/// kInvalidUsage if the parameters are no circuit: tree and nodes do not fit, no sectors, no
/// challenges.
[[nodiscard]] Result<void> check_post_params(const PostParams& params);
/// Sizes by the formulas of circuits.md 3.4, of parameters that check_post_params accepts.
[[nodiscard]] CircuitCounts post_counts(const PostParams& params);

/// The shape of the FallbackPoSt circuit: an empty header, one block (a sector slot), their number.
/// Errors of check_post_params. Cost: milliseconds, a few MB.
[[nodiscard]] Result<r1cs::Shape> post_shape(std::string_view circuit_id, const PostParams& params);
/// The same for a PoSt and a sector size, under its circuit's name.
[[nodiscard]] Result<r1cs::Shape> post_shape(PostKind kind, const SectorParams& sector);

/// What one slot of the circuit is about. A WinningPoSt spreads the paths of its one sector over
/// all slots; in a WindowPoSt each slot has a sector. A view.
struct PostSlotView {
  const VanillaPostSector* sector;
  std::span<const MerkleProof> inclusions;  // (challenges)
};

/// The values that one partition's circuit starts from, and where it leaves what it compares them
/// with. A view: what it points to outlives it.
struct PostValuesView {
  std::span<const PostSlotView> slots;
  /// A slot after the other: the hash that comm_r should be, then the root that each path leads to.
  std::span<Fr> computed;  // (slots, 1 + challenges)
};

/// The FallbackPoSt circuit (circuits.md 3.4), for r1cs::synthesize and extract_shape: no header
/// but ONE, then one block a sector slot. Without values it describes the shape. The names of the
/// steps are those of circuits.md 7.4, numbers left out.
class PostCircuit {
 public:
  struct Header {};

  /// `params` as check_post_params accepts them; `values` may be null for shapes alone.
  explicit PostCircuit(const PostParams& params, const PostValuesView* values = nullptr)
      : params_(params), values_(values), arities_(path_arities(params.tree, params.nodes)) {}

  [[nodiscard]] std::uint64_t blocks() const noexcept { return params_.sectors; }

  template <class Cs>
  [[nodiscard]] static Header header(Cs& /*cs*/) {
    return {};
  }
  template <class Cs>
  void block(Cs& cs, const Header& header, std::uint64_t index) const;

 private:
  /// Leaf and path of challenge j of a slot; the path leads to `root`.
  template <class Cs>
  void include(Cs& cs, std::uint64_t slot, std::uint32_t j,
               const gadgets::AllocatedNumber<Cs>& root) const;
  /// Leaves value number `place` of a slot where the caller can compare it with the claim.
  template <class Cs>
  void leave(std::uint64_t slot, std::uint32_t place,
             const gadgets::AllocatedNumber<Cs>& computed) const {
    if constexpr (Cs::kComputesValues) {
      values_->computed[slot * (params_.challenges + 1) + place] = computed.value();
    }
  }
  [[nodiscard]] const VanillaPostSector* sector(std::uint64_t slot) const noexcept {
    return values_ == nullptr ? nullptr : values_->slots[slot].sector;
  }

  PostParams params_;
  const PostValuesView* values_;
  std::vector<std::uint32_t> arities_;
};

template <class Cs>
void PostCircuit::include(Cs& cs, std::uint64_t slot, std::uint32_t j,
                          const gadgets::AllocatedNumber<Cs>& root) const {
  const MerkleProof* proof = values_ == nullptr ? nullptr : &values_->slots[slot].inclusions[j];
  const auto leaf = alloc_node(cs, member(proof, &MerkleProof::leaf));
  // gadgets::prove_inclusion in its steps: the root that the path leads to is wanted here too.
  gadgets::Booleans<Cs> index_bits;
  const auto computed = gadgets::climb(cs, gadgets::NodeHash::kPoseidon, leaf,
                                       path_view(arities_, proof), index_bits);
  gadgets::pack_into_inputs(cs, index_bits);
  gadgets::enforce_equal(cs, computed, root);
  leave<Cs>(slot, j + 1, computed);
  cs.step("leaf and its inclusion");
}

template <class Cs>
void PostCircuit::block(Cs& cs, const Header& /*header*/, std::uint64_t index) const {
  const VanillaPostSector* claim = sector(index);
  const auto comm_r_last = alloc_node(cs, member(claim, &VanillaPostSector::comm_r_last));
  cs.step("alloc comm_r_last");
  const auto comm_c = alloc_node(cs, member(claim, &VanillaPostSector::comm_c));
  cs.step("alloc comm_c");
  const auto comm_r = alloc_node(cs, member(claim, &VanillaPostSector::comm_r));
  cs.step("alloc comm_r");
  (void)comm_r.inputize(cs);
  cs.step("inputize comm_r");
  const std::array<gadgets::AllocatedNumber<Cs>, 2> roots{comm_c, comm_r_last};
  const auto computed = gadgets::poseidon<Cs>(cs, roots);
  cs.step("poseidon2(comm_c, comm_r_last)");
  gadgets::enforce_equal(cs, comm_r, computed);
  leave<Cs>(index, 0, computed);
  for (std::uint32_t j = 0; j < params_.challenges; ++j) include(cs, index, j, comm_r_last);
}

}  // namespace belfry::filecoin
