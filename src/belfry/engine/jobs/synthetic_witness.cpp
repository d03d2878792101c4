#include "belfry/engine/jobs/synthetic_witness.h"

#include <memory>
#include <string>

#include "belfry/filecoin/porep/job.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "belfry/filecoin/post/job.h"
#include "belfry/filecoin/post/synthetic_vanilla.h"

namespace belfry::engine {
namespace {

constexpr const char* kSyntheticStage = "engine.synthetic_witness";
constexpr std::uint64_t kSyntheticSeed = 1;

filecoin::VanillaPost synthetic_deadline(const filecoin::Circuit& circuit, unsigned partitions,
                                         const Executor& executor) {
  const bool winning = circuit.kind == filecoin::CircuitKind::kWinning;
  const filecoin::PostConfig config{
      winning ? filecoin::PostKind::kWinning : filecoin::PostKind::kWindow, circuit.sector,
      filecoin::ApiVersion::kV1_2};
  const std::uint64_t sectors = winning ? 1 : std::uint64_t{partitions} * config.params().sectors;
  return filecoin::synthetic_post(config, sectors, kSyntheticSeed, executor);
}

}  // namespace

unsigned usual_partitions(const filecoin::Circuit& circuit) {
  if (circuit.kind != filecoin::CircuitKind::kPorep) return 1;
  return filecoin::synthetic_config(*circuit.sector).partitions();
}

Result<void> require_synthetic(const filecoin::Circuit& circuit) {
  switch (circuit.kind) {
    case filecoin::CircuitKind::kPorep:
    case filecoin::CircuitKind::kWinning:
    case filecoin::CircuitKind::kWindow:
      return {};
    case filecoin::CircuitKind::kUpdate:
    case filecoin::CircuitKind::kUpdatePoseidon:
      break;
  }
  return fail(
      Error{ErrorCode::kNotFound, kSyntheticStage, "there are no synthetic sectors for the circuit"}
          .in_section(circuit.name()));
}

SyntheticSector SyntheticSector::of_porep(const filecoin::Circuit& circuit, unsigned partitions,
                                          const Executor& executor) {
  const auto c1 = std::make_shared<const filecoin::C1Output>(filecoin::synthetic_c1(
      filecoin::synthetic_config(*circuit.sector), kSyntheticSeed, executor));
  return {circuit, partitions, [c1](const auto& layout, auto k, const auto& threads) {
            return filecoin::prepare_partition(layout, *c1, k, threads);
          }};
}

SyntheticSector SyntheticSector::of_post(const filecoin::Circuit& circuit, unsigned partitions,
                                         const Executor& executor) {
  const auto post = std::make_shared<const filecoin::VanillaPost>(
      synthetic_deadline(circuit, partitions, executor));
  return {circuit, partitions, [post](const auto& layout, auto k, const auto& threads) {
            return filecoin::prepare_post_partition(layout, *post, k, threads);
          }};
}

Result<SyntheticSector> SyntheticSector::create(const filecoin::Circuit& circuit,
                                                unsigned partitions, const JobOptions& options) {
  BELFRY_CHECK(require_synthetic(circuit));
  if (circuit.kind == filecoin::CircuitKind::kPorep) {
    return of_porep(circuit, partitions, options.executor);
  }
  const bool winning = circuit.kind == filecoin::CircuitKind::kWinning;
  return of_post(circuit, winning ? 1 : partitions, options.executor);
}

Result<SyntheticWitnesses> SyntheticSector::witnesses(const r1cs::WitnessLayout& layout,
                                                      const JobOptions& options) const {
  SyntheticWitnesses out;
  for (std::uint32_t k = 0; k < partitions_; ++k) {
    BELFRY_CHECK(options.cancel.check(kSyntheticStage));
    BELFRY_TRY(auto partition, prepare_(layout, k, options.executor));
    out.values.push_back(std::move(partition.witness));
    out.public_inputs.push_back(std::move(partition.public_inputs));
  }
  return out;
}

Result<VerifiedProof> SyntheticSector::prove(const JobOptions& options) const {
  const ProofJob job{
      .circuit = circuit_,
      .partitions = partitions_,
      .prepare = [this, &options](const r1cs::WitnessLayout& layout, std::uint32_t k) {
        return prepare_(layout, k, options.executor);
      }};
  return run_proof_job(job, {}, options);
}

}  // namespace belfry::engine
