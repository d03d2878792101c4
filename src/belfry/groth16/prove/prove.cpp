#include "belfry/groth16/prove/prove.h"

#include <filesystem>
#include <string>
#include <utility>

#include "belfry/curve/multiply.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/random_scalar.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kProveStage = "groth16.prove";

Result<void> check_witnesses(const ProveBatchView& batch) {
  for (std::size_t k = 0; k < batch.witnesses.size(); ++k) {
    if (batch.witnesses[k].layout() == batch.shape.layout()) continue;
    return fail(invalid(std::string(kProveStage),
                        "the witness is not one of the circuit " + batch.shape.circuit_id())
                    .in_section("partition " + std::to_string(k)));
  }
  return {};
}

}  // namespace

Result<std::vector<ProofRandomness>> draw_randomness(std::size_t partitions) {
  std::vector<ProofRandomness> randomness(partitions);
  for (auto& entry : randomness) {
    BELFRY_TRY(entry.r, draw_scalar());
  }
  for (auto& entry : randomness) {
    BELFRY_TRY(entry.s, draw_scalar());
  }
  return randomness;
}

Result<PendingProofs> PendingProofs::create(const VerifyingKey& key, std::vector<PartialSums> sums,
                                            std::filesystem::path derived) {
  if (key.delta_g1.is_infinity() || key.delta_g2.is_infinity()) {
    return fail(invalid(std::string(kProveStage), "unexpected identity")
                    .in_section("delta")
                    .but("a finite delta", "infinity"));
  }
  return PendingProofs({key.alpha_g1, key.beta_g1, key.beta_g2, key.delta_g1, key.delta_g2},
                       std::move(sums), std::move(derived));
}

Proof PendingProofs::assemble(std::size_t partition, const ProofRandomness& randomness) const {
  const PartialSums& sums = sums_[partition];
  const auto& [r, s] = randomness;
  curve::G1Jacobian a = curve::multiply(key_.delta_g1, r);
  a += key_.alpha_g1;
  a += sums.a;
  curve::G2Jacobian b = curve::multiply(key_.delta_g2, s);
  b += key_.beta_g2;
  b += sums.b_g2;
  curve::G1Jacobian c = curve::multiply(key_.delta_g1, r * s);
  c += curve::multiply(key_.alpha_g1, s);
  c += curve::multiply(key_.beta_g1, r);
  c += curve::multiply(sums.a, s);
  c += curve::multiply(sums.b_g1, r);
  c += sums.h;
  c += sums.l;
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

Result<PendingProofs> start(const Backend& backend, const ProveBatchView& batch,
                            std::uint64_t budget_bytes) {
  BELFRY_CHECK(check_counts(batch.parameters, batch.shape));
  BELFRY_CHECK(check_witnesses(batch));
  BELFRY_TRY(const Plan plan, backend.plan_with(batch.parameters, batch.shape,
                                                batch.witnesses.size(), budget_bytes));
  BELFRY_TRY(BatchSums sums, backend.run(batch, plan));
  return PendingProofs::create(batch.parameters.verifying_key(), std::move(sums.partitions),
                               std::move(sums.derived));
}

Result<std::vector<Proof>> finish(const PendingProofs& pending,
                                  std::span<const ProofRandomness> randomness) {
  if (randomness.size() != pending.partitions()) {
    return fail(Error{ErrorCode::kInvalidUsage, std::string(kProveStage),
                      "randomness has one entry a partition"}
                    .but(std::to_string(pending.partitions()), std::to_string(randomness.size())));
  }
  std::vector<Proof> proofs;
  proofs.reserve(pending.partitions());
  for (std::size_t k = 0; k < pending.partitions(); ++k) {
    proofs.push_back(pending.assemble(k, randomness[k]));
  }
  return proofs;
}

Result<std::vector<Proof>> finish(const PendingProofs& pending) {
  BELFRY_TRY(const auto randomness, draw_randomness(pending.partitions()));
  return finish(pending, randomness);
}

}  // namespace belfry::groth16
