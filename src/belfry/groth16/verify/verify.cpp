#include "belfry/groth16/verify/verify.h"

#include <array>
#include <cstdint>
#include <numeric>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/base/random.h"
#include "belfry/curve/multiply.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.verify";

Result<void> check_inputs(const PreparedVerifyingKey& key, std::span<const Fr> public_inputs) {
  if (public_inputs.size() == key.num_public_inputs()) return {};
  return fail(invalid(std::string(kStage), "malformed verifying key or public inputs")
                  .in_section("public_inputs")
                  .but(std::to_string(key.num_public_inputs()) + " public inputs",
                       std::to_string(public_inputs.size())));
}

/// Σ scalars_i · ic_i; the first scalar belongs to ONE.
curve::G1Affine combine_inputs(const PreparedVerifyingKey& key, std::span<const Fr> scalars,
                               const Executor& executor) {
  constexpr std::size_t kGrain = 16;
  std::vector<curve::G1Jacobian> products(scalars.size());
  executor.parallel_for(scalars.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) products[i] = curve::multiply(key.ic[i], scalars[i]);
  });
  return std::accumulate(products.begin(), products.end(), curve::G1Jacobian::infinity())
      .to_affine();
}

/// One uniform weight below 2^128 a proof.
Result<std::vector<Fr>> draw_weights(std::size_t count) {
  constexpr std::size_t kWeightBytes = 16;
  std::vector<std::uint8_t> bytes(count * kWeightBytes);
  BELFRY_CHECK(fill_random(bytes));
  std::vector<Fr> weights(count);
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint8_t* at = bytes.data() + j * kWeightBytes;
    weights[j] =
        Fr::from_canonical({load_le<std::uint64_t>(at), load_le<std::uint64_t>(at + 8), 0, 0});
  }
  return weights;
}

/// Σ_j z_j · (1, x_j): the scalars of the ic points.
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
  const curve::G2Prepared b(proof.b);
  const std::array terms{
      curve::PairingTerm{proof.a, &b},
      curve::PairingTerm{combine_inputs(key, scalars, executor), &key.minus_gamma},
      curve::PairingTerm{proof.c, &key.minus_delta}};
  return curve::multi_pairing(terms) == key.alpha_beta;
}

Result<bool> verify_batch(const PreparedVerifyingKey& key, std::span<const Proof> proofs,
                          std::span<const std::vector<Fr>> public_inputs,
                          const Executor& executor) {
  if (proofs.empty() || proofs.size() != public_inputs.size()) {
    return fail(
        Error{ErrorCode::kInvalidUsage, std::string(kStage),
              "a batch has one list of public inputs a proof, and at least one proof"}
            .but(std::to_string(proofs.size()) + " lists", std::to_string(public_inputs.size())));
  }
  for (const auto& inputs : public_inputs) BELFRY_CHECK(check_inputs(key, inputs));
  if (proofs.size() == 1) return verify(key, proofs[0], public_inputs[0], executor);

  BELFRY_TRY(const std::vector<Fr> weights, draw_weights(proofs.size()));
  const std::vector<Fr> scalars = weigh_inputs(weights, public_inputs);
  // Everything on one side: the product is one, so e(alpha, beta) joins with the weight -y.
  std::vector<curve::PairingTerm> terms{
      {combine_inputs(key, scalars, executor), &key.minus_gamma},
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

}  // namespace belfry::groth16
