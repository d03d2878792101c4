#include "belfry/filecoin/update/circuit.h"

#include <string>

#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {
namespace {

/// Aux variables and constraints that a part of the circuit adds.
struct Cost {
  std::uint64_t aux;
  std::uint64_t constraints;

  friend constexpr Cost operator+(Cost a, Cost b) noexcept {
    return {a.aux + b.aux, a.constraints + b.constraints};
  }
  friend constexpr Cost operator*(std::uint64_t n, Cost a) noexcept {
    return {n * a.aux, n * a.constraints};
  }
};

// NOLINTBEGIN(readability-magic-numbers): the table of circuits.md 0.3, 4.4, 4.6
constexpr Cost kDataHash{45'331, 45'379};
constexpr Cost kDataLevel{45'333, 45'381};
constexpr Cost kPoseidon2{311, 311};
constexpr Cost kHighBits{13, 13};
constexpr Cost kDigest{567, 568};
constexpr Cost kHeader{947, 947};
/// A level whose bits are there already, without its siblings.
constexpr Cost level_cost(std::uint32_t arity) noexcept {
  if (arity == 8) return {527, 527};
  return arity == 4 ? Cost{385, 385} : Cost{313, 313};
}
// NOLINTEND(readability-magic-numbers)
constexpr std::uint64_t kInputs = 5;
/// One row compares the roots.
constexpr Cost kPathEnd{0, 1};
/// Old leaf, data leaf, product, new leaf.
constexpr Cost kEncoding{4, 2};

}  // namespace

r1cs::SystemCounts update_counts(const UpdateParams& params) {
  const std::uint64_t p = params.partition_bits();
  const std::uint64_t apex_nodes = params.apex_leaves - 1;
  Cost replica_path = kPathEnd;
  for (const std::uint32_t arity : path_arities(params.tree, params.nodes)) {
    replica_path = replica_path + level_cost(arity) + Cost{arity - 1, 0};
  }
  const Cost sibling{1, 0};
  const Cost data_path = params.bits_below_apex() * (sibling + kDataLevel) + kPathEnd;
  const Cost selection{apex_nodes, apex_nodes};
  const Cost block = kHighBits + kPoseidon2 + kEncoding + 2 * replica_path + selection + data_path;
  const Cost apex = apex_nodes * kDataHash + p * kDataLevel + kPathEnd;
  const Cost bits_and_leaves{2 * p + params.apex_leaves, p};
  const Cost header = kHeader + bits_and_leaves + apex + params.digests() * kDigest;
  const Cost total = header + params.challenges * block;
  return {kInputs, total.aux, total.constraints};
}

Result<r1cs::Shape> update_shape(std::string_view circuit_id, const UpdateParams& params) {
  BELFRY_CHECK(check_update_params(params));
  return r1cs::extract_shape(std::string(circuit_id), UpdateCircuit(params));
}

Result<r1cs::Shape> update_shape(const SectorParams& sector) {
  return update_shape(Circuit{CircuitKind::kUpdate, &sector}.name(), update_params(sector));
}

}  // namespace belfry::filecoin
