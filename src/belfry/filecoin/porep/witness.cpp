#include "belfry/filecoin/porep/witness.h"

#include <string>

#include "belfry/filecoin/porep/circuit.h"
#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {

Result<r1cs::PackedWitness> porep_witness(const r1cs::WitnessLayout& layout, const C1Output& c1,
                                          std::uint32_t partition, const Executor& executor) {
  if (partition >= c1.partitions.size() || c1.partitions[partition].empty()) {
    return fail(
        invalid("filecoin.porep.witness", "there is no such partition")
            .but("below " + std::to_string(c1.partitions.size()), std::to_string(partition)));
  }
  const PorepValuesView values{&c1, &c1.partitions[partition]};
  const PorepCircuit circuit(porep_params(*c1.config.sector), &values);
  return r1cs::compute_witness(layout, circuit, executor);
}

}  // namespace belfry::filecoin
