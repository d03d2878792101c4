#include "belfry/filecoin/post/circuit.h"

#include <string>

#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {

Result<void> check_post_params(const PostParams& params) {
  const bool tree_fits = !path_arities(params.tree, params.nodes).empty();
  if (tree_fits && params.sectors > 0 && params.challenges > 0) return {};
  return fail(ErrorCode::kInvalidUsage, "filecoin.post",
              "no PoSt circuit has these nodes, tree, sectors and challenges");
}

CircuitCounts post_counts(const PostParams& params) {
  // Allocated are comm_r_last, comm_c and comm_r; rows make comm_r public and compare its hash.
  const CircuitCost commitments = CircuitCost{3, 2} + kPoseidon2Cost;
  const CircuitCost leaf{1, 0};
  const CircuitCost inclusion = inclusion_cost(path_arities(params.tree, params.nodes));
  const CircuitCost slot = commitments + params.challenges * (leaf + inclusion);
  const CircuitCost total = params.sectors * slot;
  return {1 + std::uint64_t{params.sectors} * (1 + params.challenges), total.aux,
          total.constraints};
}

Result<r1cs::Shape> post_shape(std::string_view circuit_id, const PostParams& params,
                               const CancelToken& cancel) {
  BELFRY_CHECK(check_post_params(params));
  return r1cs::extract_shape(std::string(circuit_id), PostCircuit(params), cancel);
}

Result<r1cs::Shape> post_shape(PostKind kind, const SectorParams& sector,
                               const CancelToken& cancel) {
  const PostConfig config{kind, &sector, ApiVersion::kV1_0};
  return post_shape(circuit_of(config).name(), config.params(), cancel);
}

}  // namespace belfry::filecoin
