#include "belfry/filecoin/porep/circuit.h"

#include <bit>
#include <string>

#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {
namespace {

constexpr std::uint32_t kFewLayers = 2;
constexpr std::uint32_t kManyLayers = 11;

using Cost = CircuitCost;

// NOLINTBEGIN(readability-magic-numbers): the table of circuits.md 0.3, 2.5
constexpr Cost kBits{255, 256};
constexpr Cost kLabel{521'749, 522'269};
constexpr Cost kPorepHeader{571, 571};
constexpr Cost column_cost(std::uint32_t layers) noexcept {
  return layers == kFewLayers ? kPoseidon2Cost : Cost{598, 598};
}
// NOLINTEND(readability-magic-numbers)
constexpr std::uint64_t kHeaderInputs = 4;
/// 14 parents' paths, and of the challenge: TreeD path, node, TreeR path, TreeC path.
constexpr std::uint64_t kBlockInputs = kParents + 4;
constexpr std::uint64_t kNodeBits = 64;

}  // namespace

Result<void> check_porep_params(const PorepParams& params) {
  const bool tree_fits = !path_arities(params.tree, params.nodes).empty() &&
                         !path_arities(kDataTree, params.nodes).empty();
  const bool layers_fit = params.layers == kFewLayers || params.layers == kManyLayers;
  if (tree_fits && layers_fit && params.challenges > 0) return {};
  return fail(ErrorCode::kInvalidUsage, "filecoin.porep",
              "no PoRep circuit has these nodes, tree, layers and challenges");
}

CircuitCounts porep_counts(const PorepParams& params) {
  const Cost path = inclusion_cost(path_arities(params.tree, params.nodes));
  const auto data_levels = static_cast<std::uint64_t>(std::bit_width(params.nodes) - 1);
  const Cost leaf_or_sum{1, 0};
  const Cost data = leaf_or_sum + data_levels * kDataLevelCost + kPathEndCost;
  const Cost parent = Cost{params.layers, 0} + column_cost(params.layers) + path;
  const Cost node{kNodeBits, kNodeBits + 1};
  const Cost labels =
      kDrgParents * kBits + kLabel + (params.layers - 1) * (kParents * kBits + kLabel);
  const Cost replica = Cost{1, 1} + path;
  const Cost own = column_cost(params.layers) + path;
  const Cost block = data + kParents * parent + node + labels + replica + own;
  const Cost total = kPorepHeader + params.challenges * block;
  return {kHeaderInputs + params.challenges * kBlockInputs, total.aux, total.constraints};
}

Result<r1cs::Shape> porep_shape(std::string_view circuit_id, const PorepParams& params,
                                const CancelToken& cancel) {
  BELFRY_CHECK(check_porep_params(params));
  return r1cs::extract_shape(std::string(circuit_id), PorepCircuit(params), cancel);
}

Result<r1cs::Shape> porep_shape(const SectorParams& sector, const CancelToken& cancel) {
  return porep_shape(Circuit{CircuitKind::kPorep, &sector}.name(), porep_params(sector), cancel);
}

}  // namespace belfry::filecoin
