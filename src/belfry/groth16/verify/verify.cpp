#include "belfry/groth16/verify/verify.h"

#include <array>
#include <string>

#include "belfry/curve/multiply.h"
#include "belfry/groth16/random_scalar.h"
#include "belfry/groth16/verify/public_inputs.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kVerifyStage = "groth16.verify";

curve::G1Affine weigh_c(std::span<const Fr> weights, std::span<const Proof> proofs) {
  curve::G1Jacobian sum = curve::G1Jacobian::infinity();
  for (std::size_t j = 0; j < proofs.size(); ++j) {
    sum += curve::multiply(proofs[j].c, weights[j]);
  }
  return sum.to_affine();
}

}  // namespace

PreparedVerifyingKey::PreparedVerifyingKey(const VerifyingKey& key)
    : alpha(key.alpha_g1),
      beta(key.beta_g2),
      minus_gamma(-key.gamma_g2),
      minus_delta(-key.delta_g2),
      alpha_beta(curve::pairing(key.alpha_g1, key.beta_g2)),
      ic(key.ic) {}

Result<bool> verify(const PreparedVerifyingKey& key, const Proof& proof,
                    std::span<const Fr> public_inputs, const Executor& executor) {
  BELFRY_CHECK(check_inputs(key, public_inputs));
  std::vector<Fr> scalars{Fr::one()};
  scalars.insert(scalars.end(), public_inputs.begin(), public_inputs.end());
  BELFRY_TRY(const curve::G1Affine combined, combine_inputs(key, scalars, executor));
  const curve::G2Prepared b(proof.b);
  const std::array terms{curve::PairingTerm{proof.a, &b},
                         curve::PairingTerm{combined, &key.minus_gamma},
                         curve::PairingTerm{proof.c, &key.minus_delta}};
  return curve::multi_pairing(terms) == key.alpha_beta;
}

Result<bool> verify_batch(const PreparedVerifyingKey& key, std::span<const Proof> proofs,
                          std::span<const std::vector<Fr>> public_inputs,
                          const Executor& executor) {
  if (proofs.empty() || proofs.size() != public_inputs.size()) {
    return fail(
        Error{ErrorCode::kInvalidUsage, std::string(kVerifyStage),
              "a batch has one list of public inputs a proof, and at least one proof"}
            .but(std::to_string(proofs.size()) + " lists", std::to_string(public_inputs.size())));
  }
  for (const auto& inputs : public_inputs) BELFRY_CHECK(check_inputs(key, inputs));
  if (proofs.size() == 1) return verify(key, proofs[0], public_inputs[0], executor);

  BELFRY_TRY(const std::vector<Fr> weights, draw_weights(proofs.size()));
  const std::vector<Fr> scalars = weigh_inputs(weights, public_inputs);
  BELFRY_TRY(const curve::G1Affine combined, combine_inputs(key, scalars, executor));
  // Everything on one side: the product is one, so e(alpha, beta) joins with the weight -y.
  std::vector<curve::PairingTerm> terms{
      {combined, &key.minus_gamma},
      {weigh_c(weights, proofs), &key.minus_delta},
      {curve::multiply(key.alpha, -scalars[0]).to_affine(), &key.beta}};
  std::vector<curve::G2Prepared> b;
  b.reserve(proofs.size());
  for (std::size_t j = 0; j < proofs.size(); ++j) {
    b.emplace_back(proofs[j].b);
    terms.push_back({curve::multiply(proofs[j].a, weights[j]).to_affine(), &b.back()});
  }
  return curve::multi_pairing(terms).is_one();
}

Result<bool> verify_bytes(const PreparedVerifyingKey& key, ByteSpan bytes,
                          std::span<const std::vector<Fr>> public_inputs,
                          const Executor& executor) {
  const auto proofs = parse_proofs(bytes, public_inputs.size());
  if (!proofs) return false;
  return verify_batch(key, *proofs, public_inputs, executor);
}

}  // namespace belfry::groth16
