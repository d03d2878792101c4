#include "belfry/gadgets/pack.h"

#include "belfry/r1cs/coefficient.h"

namespace belfry::gadgets {

std::vector<Fr> compute_multipacking(const std::vector<bool>& bits) {
  std::vector<Fr> out((bits.size() + kFieldCapacity - 1) / kFieldCapacity, Fr::zero());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) out[i / kFieldCapacity] += r1cs::powers_of_two()[i % kFieldCapacity];
  }
  return out;
}

}  // namespace belfry::gadgets
