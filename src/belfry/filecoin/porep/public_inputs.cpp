#include "belfry/filecoin/porep/public_inputs.h"

#include <string>

#include "belfry/filecoin/native/challenges.h"
#include "belfry/filecoin/native/graph.h"

namespace belfry::filecoin {

PorepStatement porep_statement(const C1Output& c1) noexcept {
  return {c1.replica_id, c1.comm_d, c1.comm_r, c1.seed};
}

Result<std::vector<Fr>> porep_public_inputs(const PorepConfig& config,
                                            const PorepStatement& statement,
                                            std::uint32_t partition) {
  if (partition >= config.partitions()) {
    return fail(
        invalid("filecoin.porep.public_inputs", "there is no such partition")
            .but("below " + std::to_string(config.partitions()), std::to_string(partition)));
  }
  const Graph graph(config);
  std::vector<Fr> inputs{statement.replica_id.to_fr(), statement.comm_d.to_fr(),
                         statement.comm_r.to_fr()};
  const ChallengeInputs from{statement.replica_id, statement.comm_r, statement.seed};
  for (const std::uint64_t challenge : porep_challenges(config, from, partition)) {
    const Fr number = Fr::from_u64(challenge);
    inputs.push_back(number);
    for (const std::uint64_t parent : graph.parents(challenge)) {
      inputs.push_back(Fr::from_u64(parent));
    }
    // The number in the label, the path in TreeR, the path in TreeC.
    inputs.insert(inputs.end(), 3, number);
  }
  return inputs;
}

}  // namespace belfry::filecoin
