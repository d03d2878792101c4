#include "belfry/filecoin/update/circuit.h"

#include <string>

#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {
namespace {

// NOLINTBEGIN(readability-magic-numbers): the table of circuits.md 0.3, 4.4, 4.6
constexpr CircuitCost kDataHash{45'331, 45'379};
constexpr CircuitCost kDataLevel{45'333, 45'381};
constexpr CircuitCost kHighBits{13, 13};
constexpr CircuitCost kDigest{567, 568};
constexpr CircuitCost kUpdateHeader{947, 947};
/// A level whose bits are there already, without its siblings.
constexpr CircuitCost level_cost(std::uint32_t arity) noexcept {
  if (arity == 8) return {527, 527};
  return arity == 4 ? CircuitCost{385, 385} : CircuitCost{313, 313};
}
// NOLINTEND(readability-magic-numbers)
constexpr std::uint64_t kInputs = 5;
/// One row compares the roots.
constexpr CircuitCost kPathEnd{0, 1};
/// Old leaf, data leaf, product, new leaf.
constexpr CircuitCost kEncoding{4, 2};

}  // namespace

CircuitCounts update_counts(const UpdateParams& params) {
  const std::uint64_t p = params.partition_bits();
  const std::uint64_t apex_nodes = params.apex_leaves - 1;
  CircuitCost replica_path = kPathEnd;
  for (const std::uint32_t arity : path_arities(params.tree, params.nodes)) {
    replica_path = replica_path + level_cost(arity) + CircuitCost{arity - 1, 0};
  }
  const CircuitCost sibling{1, 0};
  const CircuitCost data_path = params.bits_below_apex() * (sibling + kDataLevel) + kPathEnd;
  const CircuitCost selection{apex_nodes, apex_nodes};
  const CircuitCost block =
      kHighBits + kPoseidon2Cost + kEncoding + 2 * replica_path + selection + data_path;
  const CircuitCost apex = apex_nodes * kDataHash + p * kDataLevel + kPathEnd;
  const CircuitCost bits_and_leaves{2 * p + params.apex_leaves, p};
  const CircuitCost header = kUpdateHeader + bits_and_leaves + apex + params.digests() * kDigest;
  const CircuitCost total = header + params.challenges * block;
  return {kInputs, total.aux, total.constraints};
}

Result<r1cs::Shape> update_shape(std::string_view circuit_id, const UpdateParams& params,
                                 const CancelToken& cancel) {
  BELFRY_CHECK(check_update_params(params));
  return r1cs::extract_shape(std::string(circuit_id), UpdateCircuit(params), cancel);
}

Result<r1cs::Shape> update_shape(const SectorParams& sector, const CancelToken& cancel) {
  return update_shape(Circuit{CircuitKind::kUpdate, &sector}.name(), update_params(sector), cancel);
}

}  // namespace belfry::filecoin
