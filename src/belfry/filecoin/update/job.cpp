#include "belfry/filecoin/update/job.h"

#include "belfry/filecoin/update/circuit.h"
#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {

Result<r1cs::PackedWitness> update_witness(const r1cs::WitnessLayout& layout,
                                           const VanillaUpdate& update, std::uint32_t partition,
                                           const Executor& executor) {
  BELFRY_CHECK(check_update_request(update));
  if (partition >= update.partitions.size()) {
    return fail(
        invalid("filecoin.update.witness", "there is no such partition")
            .but("below " + std::to_string(update.partitions.size()), std::to_string(partition)));
  }
  const UpdateValuesView values{&update.statement, &update.partitions[partition], partition};
  const UpdateCircuit circuit(update_params(*update.sector), &values);
  return r1cs::compute_witness(layout, circuit, executor);
}

Result<UpdatePartition> prepare_update_partition(const r1cs::WitnessLayout& layout,
                                                 const VanillaUpdate& update,
                                                 std::uint32_t partition,
                                                 const Executor& executor) {
  BELFRY_CHECK(check_vanilla_update(update, partition, executor));
  UpdatePartition out;
  BELFRY_TRY(out.public_inputs,
             update_public_inputs(update_params(*update.sector), update.statement, partition));
  BELFRY_TRY(out.witness, update_witness(layout, update, partition, executor));
  return out;
}

}  // namespace belfry::filecoin
