#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/circuit_cost.h"
#include "belfry/filecoin/circuit_values.h"
#include "belfry/filecoin/formats/vanilla_update.h"
#include "belfry/filecoin/update/gadgets.h"
#include "belfry/filecoin/update/params.h"
#include "belfry/filecoin/update/statement.h"
#include "belfry/r1cs/shape.h"

namespace belfry::filecoin {

/// Sizes of the SnapDeals circuit by the formulas of circuits.md 4.6: ONE is an input, appended
/// rows do not count. Of parameters that check_update_params accepts.
[[nodiscard]] CircuitCounts update_counts(const UpdateParams& params);

/// The shape of the SnapDeals circuit: header, one block (a challenge), their number, and which
/// bits of the header each block sees. The id is that of `circuit_id` in the shape. Errors of
/// check_update_params. Cost: a few seconds and some hundred MB for 32 GiB.
[[nodiscard]] Result<r1cs::Shape> update_shape(std::string_view circuit_id,
                                               const UpdateParams& params,
                                               const CancelToken& cancel = {});
/// The same for a sector size that has SnapDeals, under its circuit's name.
[[nodiscard]] Result<r1cs::Shape> update_shape(const SectorParams& sector,
                                               const CancelToken& cancel = {});

/// The values that one partition's circuit starts from. A view: what it points to outlives it.
struct UpdateValuesView {
  const UpdateStatement* statement;
  const VanillaUpdatePartition* proof;
  std::uint32_t partition;
};

/// The EmptySectorUpdate circuit (circuits.md 4.5), for r1cs::synthesize, extract_shape and
/// compute_witness: a header, then one block a challenge. Without values it describes the shape.
///
/// Blocks differ in one thing: the random bits of its challenge, which the header allocates, are
/// each block's own (`block_arguments`). The names of the steps are those of circuits.md 7.4,
/// numbers left out.
class UpdateCircuit {
 public:
  /// What blocks use of the header.
  template <class Cs>
  struct Header {
    gadgets::Booleans<Cs> partition_bits;  ///< (p)
    gadgets::Booleans<Cs> high_select;     ///< (6), one of them 1
    gadgets::AllocatedNumber<Cs> phi;
    gadgets::AllocatedNumber<Cs> root_r_old;
    gadgets::AllocatedNumber<Cs> root_r_new;
    gadgets::Numbers<Cs> apex_leaves;
    std::vector<gadgets::Booleans<Cs>> challenges;  // (challenges, d - p)
  };

  /// `params` as check_update_params accepts them; `values` may be null for shapes alone.
  explicit UpdateCircuit(const UpdateParams& params, const UpdateValuesView* values = nullptr)
      : params_(params),
        values_(values),
        data_arities_(path_arities(kDataTree, params.nodes)),
        replica_arities_(path_arities(params.tree, params.nodes)) {}

  [[nodiscard]] std::uint64_t blocks() const noexcept { return params_.challenges; }

  template <class Cs>
  [[nodiscard]] Header<Cs> header(Cs& cs) const;
  template <class Cs>
  void block(Cs& cs, const Header<Cs>& header, std::uint64_t index) const;
  /// The header's variables that stand for each other in the blocks: a challenge's random bits.
  template <class Cs>
  [[nodiscard]] std::vector<typename Cs::Ref> block_arguments(const Header<Cs>& header,
                                                              std::uint64_t index) const {
    std::vector<typename Cs::Ref> out;
    for (const auto& bit : header.challenges[index]) out.push_back(bit.bit().ref);
    return out;
  }

 private:
  template <class Cs>
  using Number = gadgets::AllocatedNumber<Cs>;
  template <class Cs>
  using Numbers = gadgets::Numbers<Cs>;

  /// `count` nodes; `nodes` has that many, or is empty for an interpreter without values.
  template <class Cs>
  [[nodiscard]] static Numbers<Cs> alloc_nodes(Cs& cs, std::size_t count,
                                               std::span<const Node> nodes) {
    Numbers<Cs> out;
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(Number<Cs>::alloc(cs, cs.given([&] { return nodes[i].to_fr(); })));
    }
    return out;
  }
  /// kh, its bits, and the partition as a number; the bits go to the header.
  template <class Cs>
  [[nodiscard]] Number<Cs> selector(Cs& cs, gadgets::Booleans<Cs>& partition_bits,
                                    gadgets::Booleans<Cs>& high_select) const;
  template <class Cs>
  [[nodiscard]] static Number<Cs> public_node(Cs& cs, const Node* node, std::string_view allocated,
                                              std::string_view inputized);
  /// P2(comm_c, root) = comm_r, the hash in A.
  template <class Cs>
  static Number<Cs> hash_roots(Cs& cs, const Number<Cs>& comm_c, const Number<Cs>& root);
  template <class Cs>
  void check_replica(Cs& cs, const gadgets::Booleans<Cs>& challenge, const Number<Cs>& leaf,
                     const MerkleProof* proof, const Number<Cs>& root) const;
  template <class Cs>
  void check_data(Cs& cs, const gadgets::Booleans<Cs>& challenge, const Number<Cs>& leaf,
                  const MerkleProof* proof, const Header<Cs>& header) const;

  [[nodiscard]] const VanillaUpdateChallenge* challenge(std::uint64_t index) const noexcept {
    return values_ == nullptr ? nullptr : &values_->proof->challenges[index];
  }
  [[nodiscard]] static std::span<const Node> siblings(const MerkleProof* proof) noexcept {
    return proof == nullptr ? std::span<const Node>{} : std::span<const Node>(proof->siblings);
  }

  UpdateParams params_;
  const UpdateValuesView* values_;
  std::vector<std::uint32_t> data_arities_;
  std::vector<std::uint32_t> replica_arities_;
};

template <class Cs>
UpdateCircuit::Number<Cs> UpdateCircuit::selector(Cs& cs, gadgets::Booleans<Cs>& partition_bits,
                                                  gadgets::Booleans<Cs>& high_select) const {
  const auto partition_width = static_cast<std::ptrdiff_t>(params_.partition_bits());
  const auto value = [this] { return update_selector(params_, values_->partition); };
  const auto kh = Number<Cs>::alloc(cs, cs.given([&] { return Fr::from_u64(value()); }));
  cs.step("alloc kh");
  (void)kh.inputize(cs);
  cs.step("inputize kh");
  gadgets::Booleans<Cs> bits;
  for (std::uint32_t i = 0; i < params_.partition_bits() + kHighBitChoices; ++i) {
    bits.push_back(
        gadgets::Boolean<Cs>::alloc(cs, cs.given([&] { return ((value() >> i) & 1) != 0; })));
  }
  update_gadgets::enforce_bits<Cs>(cs, bits, kh);
  partition_bits.assign(bits.begin(), bits.begin() + partition_width);
  high_select.assign(bits.begin() + partition_width, bits.end());
  const auto partition = gadgets::pack_bits(cs, partition_bits);
  cs.step("kh bits, decomposition, partition packed");
  return partition;
}

template <class Cs>
UpdateCircuit::Number<Cs> UpdateCircuit::public_node(Cs& cs, const Node* node,
                                                     std::string_view allocated,
                                                     std::string_view inputized) {
  const auto number = alloc_node(cs, node);
  cs.step(allocated);
  (void)number.inputize(cs);
  cs.step(inputized);
  return number;
}

template <class Cs>
UpdateCircuit::Number<Cs> UpdateCircuit::hash_roots(Cs& cs, const Number<Cs>& comm_c,
                                                    const Number<Cs>& root) {
  const std::array<Number<Cs>, 2> roots{comm_c, root};
  return gadgets::poseidon<Cs>(cs, roots);
}

template <class Cs>
UpdateCircuit::Header<Cs> UpdateCircuit::header(Cs& cs) const {
  const UpdateStatement* statement = values_ == nullptr ? nullptr : values_->statement;
  const VanillaUpdatePartition* proof = values_ == nullptr ? nullptr : values_->proof;
  const VanillaUpdateChallenge* first = challenge(0);
  gadgets::Booleans<Cs> partition_bits;
  gadgets::Booleans<Cs> high_select;
  const auto partition = selector(cs, partition_bits, high_select);
  const auto comm_r_old = public_node(cs, member(statement, &UpdateStatement::comm_r_old),
                                      "alloc comm_r_old", "inputize comm_r_old");
  const auto comm_d_new = public_node(cs, member(statement, &UpdateStatement::comm_d_new),
                                      "alloc comm_d_new", "inputize comm_d_new");
  const auto comm_r_new = public_node(cs, member(statement, &UpdateStatement::comm_r_new),
                                      "alloc comm_r_new", "inputize comm_r_new");
  const auto phi = update_gadgets::custom_hash(cs, comm_d_new, comm_r_old);
  cs.step("phi");
  const auto comm_c = alloc_node(cs, member(proof, &VanillaUpdatePartition::comm_c));
  cs.step("alloc comm_c");
  // All challenges of a partition agree on roots and partition path; the first one gives them.
  const auto* old_proof = member(first, &VanillaUpdateChallenge::r_old);
  const auto root_r_old = alloc_node(cs, member(old_proof, &MerkleProof::root));
  cs.step("alloc root_r_old");
  const auto* new_proof = member(first, &VanillaUpdateChallenge::r_new);
  const auto root_r_new = alloc_node(cs, member(new_proof, &MerkleProof::root));
  cs.step("alloc root_r_new");
  const auto* apex = member(proof, &VanillaUpdatePartition::apex_leaves);
  Numbers<Cs> apex_leaves =
      alloc_nodes(cs, params_.apex_leaves, apex == nullptr ? std::span<const Node>{} : *apex);
  const auto data_siblings = siblings(member(first, &VanillaUpdateChallenge::d_new));
  const std::size_t top_levels = params_.partition_bits();
  const Numbers<Cs> partition_path =
      alloc_nodes(cs, top_levels, data_siblings.last(data_siblings.empty() ? 0 : top_levels));
  const auto old_hash = hash_roots(cs, comm_c, root_r_old);
  cs.step("apex leaves allocated; poseidon2(comm_c, root_r_old)");
  gadgets::enforce_equal(cs, old_hash, comm_r_old);
  const auto new_hash = hash_roots(cs, comm_c, root_r_new);
  cs.step("its equality; poseidon2(comm_c, root_r_new)");
  gadgets::enforce_equal(cs, new_hash, comm_r_new);
  update_gadgets::check_apex<Cs>(cs, apex_leaves, partition_bits, partition_path, comm_d_new);
  cs.step("its equality; apex");
  auto challenges = update_gadgets::challenge_bits(cs, params_, comm_r_new, partition);
  cs.step("gen_challenge_bits");
  return {std::move(partition_bits), std::move(high_select), phi, root_r_old, root_r_new,
          std::move(apex_leaves),    std::move(challenges)};
}

template <class Cs>
void UpdateCircuit::check_replica(Cs& cs, const gadgets::Booleans<Cs>& challenge,
                                  const Number<Cs>& leaf, const MerkleProof* proof,
                                  const Number<Cs>& root) const {
  std::size_t count = 0;
  for (const std::uint32_t arity : replica_arities_) count += arity - 1;
  const Numbers<Cs> path = alloc_nodes(cs, count, siblings(proof));
  gadgets::check_path(cs, gadgets::NodeHash::kPoseidon, leaf,
                      gadgets::AllocatedPath<Cs>{replica_arities_, challenge, path}, root);
}

template <class Cs>
void UpdateCircuit::check_data(Cs& cs, const gadgets::Booleans<Cs>& challenge,
                               const Number<Cs>& leaf, const MerkleProof* proof,
                               const Header<Cs>& header) const {
  const std::span<const gadgets::Boolean<Cs>> bits(challenge);
  const std::size_t levels = params_.bits_below_apex();
  const auto apex_leaf =
      gadgets::select<Cs>(cs, header.apex_leaves, bits.subspan(levels, params_.apex_bits()));
  cs.step("challenge: select");
  const Numbers<Cs> path = alloc_nodes(cs, levels, siblings(proof));
  gadgets::check_path(
      cs, gadgets::NodeHash::kSha256, leaf,
      gadgets::AllocatedPath<Cs>{std::span(data_arities_).first(levels), bits.first(levels), path},
      apex_leaf);
  cs.step("challenge: siblings, path_check to apex leaf");
}

template <class Cs>
void UpdateCircuit::block(Cs& cs, const Header<Cs>& header, std::uint64_t index) const {
  const VanillaUpdateChallenge* values = challenge(index);
  const auto* old_proof = member(values, &VanillaUpdateChallenge::r_old);
  const auto* data_proof = member(values, &VanillaUpdateChallenge::d_new);
  const auto* new_proof = member(values, &VanillaUpdateChallenge::r_new);
  gadgets::Booleans<Cs> bits = header.challenges[index];
  bits.insert(bits.end(), header.partition_bits.begin(), header.partition_bits.end());
  const auto high = update_gadgets::selected_high_bits<Cs>(cs, bits, header.high_select,
                                                           params_.high_bit_choices());
  cs.step("challenge: high bits");
  const auto rho = update_gadgets::custom_hash(cs, header.phi, high);
  cs.step("challenge: rho");
  const auto leaf_r_old = alloc_node(cs, member(old_proof, &MerkleProof::leaf));
  cs.step("challenge: alloc leaf_r_old");
  const auto leaf_d_new = alloc_node(cs, member(data_proof, &MerkleProof::leaf));
  cs.step("challenge: alloc leaf_d_new");
  const auto leaf_r_new = update_gadgets::encode(cs, leaf_r_old, leaf_d_new, rho);
  cs.step("challenge: label_new");
  check_replica(cs, bits, leaf_r_old, old_proof, header.root_r_old);
  cs.step("challenge: siblings, path_check TreeROld");
  check_replica(cs, bits, leaf_r_new, new_proof, header.root_r_new);
  cs.step("challenge: siblings, path_check TreeRNew");
  check_data(cs, bits, leaf_d_new, data_proof, header);
}

}  // namespace belfry::filecoin
