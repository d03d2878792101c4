#include "belfry/filecoin/update/job.h"

#include "belfry/filecoin/update/circuit.h"
#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {

Result<PreparedPartition> prepare_checked_update_partition(const r1cs::WitnessLayout& layout,
                                                           const VanillaUpdate& update,
                                                           std::uint32_t partition,
                                                           const Executor& executor) {
  BELFRY_CHECK(check_update_request(update));
  const UpdateParams params = update_params(*update.sector);
  PreparedPartition out;
  BELFRY_TRY(out.public_inputs, update_public_inputs(params, update.statement, partition));
  const UpdateValuesView values{&update.statement, &update.partitions[partition], partition};
  BELFRY_TRY(out.witness, r1cs::compute_witness(layout, UpdateCircuit(params, &values), executor));
  return out;
}

Result<PreparedPartition> prepare_update_partition(const r1cs::WitnessLayout& layout,
                                                   const VanillaUpdate& update,
                                                   std::uint32_t partition,
                                                   const Executor& executor) {
  BELFRY_CHECK(check_vanilla_update(update, partition, executor));
  return prepare_checked_update_partition(layout, update, partition, executor);
}

}  // namespace belfry::filecoin
