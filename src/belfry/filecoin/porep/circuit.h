#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/circuit_cost.h"
#include "belfry/filecoin/circuit_values.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/gadgets/bits.h"
#include "belfry/gadgets/constraint.h"
#include "belfry/gadgets/label.h"
#include "belfry/gadgets/number.h"
#include "belfry/gadgets/por.h"
#include "belfry/gadgets/poseidon.h"
#include "belfry/gadgets/uint32.h"
#include "belfry/gadgets/uint64.h"
#include "belfry/r1cs/shape.h"

namespace belfry::filecoin {

/// kInvalidUsage if the parameters are no circuit: tree and nodes do not fit, a column is not of 2
/// or 11 labels, no challenges.
[[nodiscard]] Result<void> check_porep_params(const PorepParams& params);
/// Sizes by the formulas of circuits.md 2.7, of parameters that check_porep_params accepts.
[[nodiscard]] CircuitCounts porep_counts(const PorepParams& params);

/// The shape of the PoRep circuit: header, one block (a challenge), their number. The id is that of
/// `circuit_id` in the shape. Errors of check_porep_params.
/// Cost: a few seconds and a few hundred MB for 32 GiB.
[[nodiscard]] Result<r1cs::Shape> porep_shape(std::string_view circuit_id,
                                              const PorepParams& params,
                                              const CancelToken& cancel = {});
/// The same for a sector size, under its circuit's name.
[[nodiscard]] Result<r1cs::Shape> porep_shape(const SectorParams& sector,
                                              const CancelToken& cancel = {});

/// The values that one partition's circuit starts from. A view: what it points to outlives it.
struct PorepValuesView {
  const C1Output* statement;  ///< replica_id, comm_d, comm_r
  const VanillaPartition* challenges;
};

/// The StackedDrg PoRep circuit (circuits.md 2.4), for r1cs::synthesize, extract_shape and
/// compute_witness: a header, then one block a challenge. Without values it describes the shape.
///
/// The names of the steps are those of circuits.md 7.4, numbers left out.
class PorepCircuit {
 public:
  /// What blocks use of the header.
  template <class Cs>
  struct Header {
    gadgets::Booleans<Cs> replica_id_bits;  ///< SHA order, 256
    gadgets::AllocatedNumber<Cs> comm_d;
    gadgets::AllocatedNumber<Cs> comm_r_last;
    gadgets::AllocatedNumber<Cs> comm_c;
  };

  /// `params` as check_porep_params accepts them; `values` may be null for shapes alone.
  explicit PorepCircuit(const PorepParams& params, const PorepValuesView* values = nullptr)
      : params_(params),
        values_(values),
        data_arities_(path_arities(kDataTree, params.nodes)),
        replica_arities_(path_arities(params.tree, params.nodes)) {}

  [[nodiscard]] std::uint64_t blocks() const noexcept { return params_.challenges; }

  template <class Cs>
  [[nodiscard]] Header<Cs> header(Cs& cs) const;
  template <class Cs>
  void block(Cs& cs, const Header<Cs>& header, std::uint64_t index) const;

 private:
  template <class Cs>
  using Column = std::vector<gadgets::AllocatedNumber<Cs>>;

  template <class Cs>
  [[nodiscard]] static gadgets::Booleans<Cs> hash_bits(Cs& cs,
                                                       const gadgets::AllocatedNumber<Cs>& node) {
    return gadgets::reverse_bit_numbering<Cs>(node.to_bits_le(cs));
  }
  template <class Cs>
  void include(Cs& cs, const gadgets::AllocatedNumber<Cs>& leaf, const MerkleProof* proof,
               const gadgets::AllocatedNumber<Cs>& root) const {
    gadgets::prove_inclusion(cs, gadgets::NodeHash::kPoseidon, leaf,
                             path_view(replica_arities_, proof), root);
  }
  template <class Cs>
  [[nodiscard]] Column<Cs> parent_column(Cs& cs, const Header<Cs>& header,
                                         const ColumnProof* proof) const;
  template <class Cs>
  [[nodiscard]] Column<Cs> own_column(Cs& cs, const Header<Cs>& header,
                                      const std::vector<Column<Cs>>& parents,
                                      const gadgets::Uint64<Cs>& node) const;

  [[nodiscard]] const VanillaChallenge* challenge(std::uint64_t index) const noexcept {
    return values_ == nullptr ? nullptr : &(*values_->challenges)[index];
  }

  PorepParams params_;
  const PorepValuesView* values_;
  std::vector<std::uint32_t> data_arities_;
  std::vector<std::uint32_t> replica_arities_;
};

template <class Cs>
PorepCircuit::Header<Cs> PorepCircuit::header(Cs& cs) const {
  const C1Output* statement = values_ == nullptr ? nullptr : values_->statement;
  const VanillaChallenge* first = challenge(0);
  const auto replica_id = alloc_node(cs, member(statement, &C1Output::replica_id));
  cs.step("alloc replica_id");
  (void)replica_id.inputize(cs);
  cs.step("inputize replica_id");
  gadgets::Booleans<Cs> replica_id_bits = hash_bits(cs, replica_id);
  cs.step("to_bits_le(replica_id)");
  const auto comm_d = alloc_node(cs, member(statement, &C1Output::comm_d));
  cs.step("alloc comm_d");
  (void)comm_d.inputize(cs);
  cs.step("inputize comm_d");
  const auto comm_r = alloc_node(cs, member(statement, &C1Output::comm_r));
  cs.step("alloc comm_r");
  (void)comm_r.inputize(cs);
  cs.step("inputize comm_r");
  // All challenges of a partition agree on the two private roots; the first one gives them.
  const auto* last_proof = member(first, &VanillaChallenge::comm_r_last);
  const auto comm_r_last = alloc_node(cs, member(last_proof, &MerkleProof::root));
  cs.step("alloc comm_r_last");
  const auto* inclusion = member(member(first, &VanillaChallenge::column), &ColumnProof::inclusion);
  const auto comm_c = alloc_node(cs, member(inclusion, &MerkleProof::root));
  cs.step("alloc comm_c");
  const std::array<gadgets::AllocatedNumber<Cs>, 2> roots{comm_c, comm_r_last};
  const auto computed = gadgets::poseidon<Cs>(cs, roots);
  cs.step("poseidon2(comm_c, comm_r_last)");
  gadgets::enforce_equal(cs, comm_r, computed);
  return {std::move(replica_id_bits), comm_d, comm_r_last, comm_c};
}

template <class Cs>
PorepCircuit::Column<Cs> PorepCircuit::parent_column(Cs& cs, const Header<Cs>& header,
                                                     const ColumnProof* proof) const {
  Column<Cs> column;
  column.reserve(params_.layers);
  for (std::uint32_t layer = 0; layer < params_.layers; ++layer) {
    column.push_back(alloc_node(cs, proof == nullptr ? nullptr : &proof->rows[layer]));
  }
  cs.step("parent: column allocated");
  const auto hash = gadgets::poseidon<Cs>(cs, column);
  cs.step("parent: column hash");
  include(cs, hash, member(proof, &ColumnProof::inclusion), header.comm_c);
  cs.step("parent: TreeC inclusion");
  return column;
}

template <class Cs>
PorepCircuit::Column<Cs> PorepCircuit::own_column(Cs& cs, const Header<Cs>& header,
                                                  const std::vector<Column<Cs>>& parents,
                                                  const gadgets::Uint64<Cs>& node) const {
  Column<Cs> labels;
  labels.reserve(params_.layers);
  std::vector<gadgets::Booleans<Cs>> bits;
  for (std::uint32_t layer = 1; layer <= params_.layers; ++layer) {
    // Each use of a parent's label decomposes it afresh: on its own layer for a DRG parent, on the
    // layer above for an expander parent.
    const std::size_t used = layer == 1 ? kDrgParents : kParents;
    bits.clear();
    for (std::size_t i = 0; i < used; ++i) {
      bits.push_back(hash_bits(cs, parents[i][i < kDrgParents ? layer - 1 : layer - 2]));
    }
    labels.push_back(gadgets::create_label<Cs>(cs, header.replica_id_bits, bits,
                                               gadgets::Uint32<Cs>::constant(layer), node));
    cs.step("label, layer");
  }
  return labels;
}

template <class Cs>
void PorepCircuit::block(Cs& cs, const Header<Cs>& header, std::uint64_t index) const {
  const VanillaChallenge* values = challenge(index);
  const auto* data_proof = member(values, &VanillaChallenge::comm_d);
  const auto data = alloc_node(cs, member(data_proof, &MerkleProof::leaf));
  cs.step("alloc data leaf");
  gadgets::prove_inclusion(cs, gadgets::NodeHash::kSha256, data,
                           path_view(data_arities_, data_proof), header.comm_d);
  cs.step("TreeD inclusion");

  std::vector<Column<Cs>> parents;
  parents.reserve(kParents);
  for (std::size_t i = 0; i < kDrgParents; ++i) {
    parents.push_back(
        parent_column(cs, header, values == nullptr ? nullptr : &values->drg_parents[i]));
  }
  for (std::size_t i = 0; i < kExpanderParents; ++i) {
    parents.push_back(
        parent_column(cs, header, values == nullptr ? nullptr : &values->exp_parents[i]));
  }

  const auto node =
      gadgets::Uint64<Cs>::alloc(cs, cs.given([&] { return std::uint64_t{values->column.index}; }));
  cs.step("node bits");
  node.pack_into_input(cs);
  cs.step("node packed");
  const Column<Cs> labels = own_column(cs, header, parents, node);
  const auto replica = gadgets::encode(cs, labels.back(), data);
  cs.step("encoding");
  include(cs, replica, member(values, &VanillaChallenge::comm_r_last), header.comm_r_last);
  cs.step("TreeR inclusion");
  const auto hash = gadgets::poseidon<Cs>(cs, labels);
  cs.step("own column hash");
  const auto* own = member(values, &VanillaChallenge::column);
  include(cs, hash, member(own, &ColumnProof::inclusion), header.comm_c);
  cs.step("own column, TreeC inclusion");
}

}  // namespace belfry::filecoin
