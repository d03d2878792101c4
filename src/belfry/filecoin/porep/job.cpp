#include "belfry/filecoin/porep/job.h"

#include "belfry/filecoin/porep/public_inputs.h"
#include "belfry/filecoin/porep/vanilla_check.h"
#include "belfry/filecoin/porep/witness.h"

namespace belfry::filecoin {

Result<PreparedPartition> prepare_checked_partition(const r1cs::WitnessLayout& layout,
                                                    const C1Output& c1, std::uint32_t partition,
                                                    const Executor& executor) {
  PreparedPartition out;
  BELFRY_TRY(out.public_inputs, porep_public_inputs(c1.config, porep_statement(c1), partition));
  BELFRY_TRY(out.witness, porep_witness(layout, c1, partition, executor));
  return out;
}

Result<PreparedPartition> prepare_partition(const r1cs::WitnessLayout& layout, const C1Output& c1,
                                            std::uint32_t partition, const Executor& executor) {
  BELFRY_CHECK(check_vanilla_partition(c1, partition, executor));
  return prepare_checked_partition(layout, c1, partition, executor);
}

}  // namespace belfry::filecoin
