#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/cancel.h"
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
#include "belfry/r1cs/lane_values.h"
#include "belfry/r1cs/shape.h"

namespace belfry::filecoin {

/// kInvalidUsage if the parameters are no circuit: tree and nodes do not fit, no sectors, no
/// challenges.
[[nodiscard]] Result<void> check_post_params(const PostParams& params);
/// Sizes by the formulas of circuits.md 3.4, of parameters that check_post_params accepts.
[[nodiscard]] CircuitCounts post_counts(const PostParams& params);

/// The shape of the FallbackPoSt circuit: an empty header, one block (a sector slot), their number.
/// Errors of check_post_params. Cost: milliseconds, a few MB.
[[nodiscard]] Result<r1cs::Shape> post_shape(std::string_view circuit_id, const PostParams& params,
                                             const CancelToken& cancel = {});
/// The same for a PoSt and a sector size, under its circuit's name.
[[nodiscard]] Result<r1cs::Shape> post_shape(PostKind kind, const SectorParams& sector,
                                             const CancelToken& cancel = {});

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
///
/// `block` also runs under LaneWitnessBuilder; it then makes the blocks from `index` on.
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
  template <class Cs>
  using Number = gadgets::AllocatedNumber<Cs>;

  /// A node of each slot from `slot` on that the interpreter fills, as a new aux.
  template <class Cs, class Get>
  [[nodiscard]] Number<Cs> alloc_of(Cs& cs, std::uint64_t slot, Get&& get) const {
    return Number<Cs>::alloc(cs, cs.given([&] {
      return r1cs::each_lane<Cs>(
          [&](std::size_t lane) { return get(values_->slots[slot + lane]).to_fr(); });
    }));
  }
  template <class Cs>
  [[nodiscard]] Number<Cs> alloc_of(Cs& cs, std::uint64_t slot,
                                    Node VanillaPostSector::* which) const {
    return alloc_of(cs, slot, [&](const PostSlotView& of) { return of.sector->*which; });
  }
  /// The path of challenge j of each slot that the interpreter fills.
  template <class Cs>
  [[nodiscard]] gadgets::MerklePathOf<Cs> path(std::uint64_t slot, std::uint32_t j) const {
    if constexpr (r1cs::kLanesOf<Cs> == 1) {
      return path_view(arities_,
                       values_ == nullptr ? nullptr : &values_->slots[slot].inclusions[j]);
    } else {
      gadgets::MerklePathLanes out{arities_, {}};
      for (auto& lane : out.lanes)
        lane = path_view(arities_, &values_->slots[slot++].inclusions[j]);
      return out;
    }
  }
  /// Leaf and path of challenge j of a slot; the path leads to `root`.
  template <class Cs>
  void include(Cs& cs, std::uint64_t slot, std::uint32_t j, const Number<Cs>& root) const;
  /// Leaves value number `place` of a slot where the caller can compare it with the claim.
  template <class Cs>
  void leave(std::uint64_t slot, std::uint32_t place, const Number<Cs>& computed) const {
    const auto put = [&](const Fr& value, std::uint64_t of) {
      values_->computed[of * (params_.challenges + 1) + place] = value;
    };
    if constexpr (r1cs::kLanesOf<Cs> > 1) {
      for (const Fr& lane : computed.value().lanes) put(lane, slot++);
    } else if constexpr (Cs::kComputesValues) {
      put(computed.value(), slot);
    }
  }

  PostParams params_;
  const PostValuesView* values_;
  std::vector<std::uint32_t> arities_;
};

template <class Cs>
void PostCircuit::include(Cs& cs, std::uint64_t slot, std::uint32_t j,
                          const Number<Cs>& root) const {
  const auto leaf = alloc_of(
      cs, slot, [&](const PostSlotView& of) -> const Node& { return of.inclusions[j].leaf; });
  // gadgets::prove_inclusion in its steps: the root that the path leads to is wanted here too.
  gadgets::Booleans<Cs> index_bits;
  const auto computed =
      gadgets::climb(cs, gadgets::NodeHash::kPoseidon, leaf, path<Cs>(slot, j), index_bits);
  gadgets::pack_into_inputs(cs, index_bits);
  gadgets::enforce_equal(cs, computed, root);
  leave<Cs>(slot, j + 1, computed);
  cs.step("leaf and its inclusion");
}

template <class Cs>
void PostCircuit::block(Cs& cs, const Header& /*header*/, std::uint64_t index) const {
  const auto comm_r_last = alloc_of(cs, index, &VanillaPostSector::comm_r_last);
  cs.step("alloc comm_r_last");
  const auto comm_c = alloc_of(cs, index, &VanillaPostSector::comm_c);
  cs.step("alloc comm_c");
  const auto comm_r = alloc_of(cs, index, &VanillaPostSector::comm_r);
  cs.step("alloc comm_r");
  (void)comm_r.inputize(cs);
  cs.step("inputize comm_r");
  const std::array<Number<Cs>, 2> roots{comm_c, comm_r_last};
  const auto computed = gadgets::poseidon<Cs>(cs, roots);
  cs.step("poseidon2(comm_c, comm_r_last)");
  gadgets::enforce_equal(cs, comm_r, computed);
  leave<Cs>(index, 0, computed);
  for (std::uint32_t j = 0; j < params_.challenges; ++j) include(cs, index, j, comm_r_last);
}

}  // namespace belfry::filecoin
