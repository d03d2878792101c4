#include "belfry/groth16/verify/public_inputs.h"

#include <string>

#include "belfry/msm/msm.h"

namespace belfry::groth16 {

Result<void> check_inputs(const PreparedVerifyingKey& key, std::span<const Fr> public_inputs) {
  if (public_inputs.size() == key.num_public_inputs()) return {};
  return fail(invalid("groth16.verify", "malformed verifying key or public inputs")
                  .in_section("public_inputs")
                  .but(std::to_string(key.num_public_inputs()) + " public inputs",
                       std::to_string(public_inputs.size())));
}

std::vector<Fr> weigh_inputs(std::span<const Fr> weights,
                             std::span<const std::vector<Fr>> public_inputs) {
  std::vector<Fr> scalars(public_inputs.front().size() + 1);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    scalars[0] += weights[j];
    for (std::size_t i = 1; i < scalars.size(); ++i) {
      scalars[i] += weights[j] * public_inputs[j][i - 1];
    }
  }
  return scalars;
}

Result<curve::G1Affine> combine_inputs(const PreparedVerifyingKey& key, std::span<const Fr> scalars,
                                       const Executor& executor) {
  BELFRY_TRY(const curve::G1Jacobian sum,
             msm::multiply(msm::SpanSource<curve::G1>(key.ic), scalars, executor));
  return sum.to_affine();
}

}  // namespace belfry::groth16
