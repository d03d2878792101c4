#include "belfry/engine/jobs/synthetic_witness.h"

#include <functional>
#include <string_view>
#include <utility>

#include "belfry/filecoin/porep/job.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "belfry/filecoin/post/job.h"
#include "belfry/filecoin/post/synthetic_vanilla.h"

namespace belfry::engine {
namespace {

constexpr std::string_view kSyntheticStage = "engine.synthetic_witness";
constexpr std::uint64_t kSyntheticSeed = 1;

using Prepare = std::function<Result<filecoin::PreparedPartition>(std::uint32_t partition)>;

Result<SyntheticWitnesses> collect(unsigned partitions, const JobOptions& options,
                                   const Prepare& prepare) {
  SyntheticWitnesses out;
  for (std::uint32_t k = 0; k < partitions; ++k) {
    BELFRY_CHECK(options.cancel.check(std::string(kSyntheticStage)));
    BELFRY_TRY(auto partition, prepare(k));
    out.values.push_back(std::move(partition.witness));
    out.public_inputs.push_back(std::move(partition.public_inputs));
  }
  return out;
}

Result<SyntheticWitnesses> of_porep(const filecoin::SectorParams& sector,
                                    const r1cs::WitnessLayout& layout, unsigned partitions,
                                    const JobOptions& options) {
  const filecoin::C1Output c1 =
      filecoin::synthetic_c1(filecoin::synthetic_config(sector), kSyntheticSeed, options.executor);
  return collect(partitions, options, [&](std::uint32_t k) {
    return filecoin::prepare_partition(layout, c1, k, options.executor);
  });
}

Result<SyntheticWitnesses> of_post(filecoin::PostKind kind, const filecoin::SectorParams& sector,
                                   const r1cs::WitnessLayout& layout, unsigned partitions,
                                   const JobOptions& options) {
  const filecoin::PostConfig config{kind, &sector, filecoin::ApiVersion::kV1_2};
  const std::uint64_t sectors = kind == filecoin::PostKind::kWinning
                                    ? 1
                                    : std::uint64_t{partitions} * config.params().sectors;
  const filecoin::VanillaPost post =
      filecoin::synthetic_post(config, sectors, kSyntheticSeed, options.executor);
  return collect(partitions, options, [&](std::uint32_t k) {
    return filecoin::prepare_post_partition(layout, post, k, options.executor);
  });
}

}  // namespace

unsigned usual_partitions(const filecoin::Circuit& circuit) {
  if (circuit.kind != filecoin::CircuitKind::kPorep) return 1;
  return filecoin::synthetic_config(*circuit.sector).partitions();
}

Result<SyntheticWitnesses> make_synthetic_witnesses(const filecoin::Circuit& circuit,
                                                    const r1cs::WitnessLayout& layout,
                                                    unsigned partitions,
                                                    const JobOptions& options) {
  switch (circuit.kind) {
    case filecoin::CircuitKind::kPorep:
      return of_porep(*circuit.sector, layout, partitions, options);
    case filecoin::CircuitKind::kWinning:
      return of_post(filecoin::PostKind::kWinning, *circuit.sector, layout, 1, options);
    case filecoin::CircuitKind::kWindow:
      return of_post(filecoin::PostKind::kWindow, *circuit.sector, layout, partitions, options);
    case filecoin::CircuitKind::kUpdate:
    case filecoin::CircuitKind::kUpdatePoseidon:
      break;
  }
  return fail(Error{ErrorCode::kNotFound, std::string(kSyntheticStage),
                    "there are no synthetic sectors for the circuit"}
                  .in_section(circuit.name()));
}

}  // namespace belfry::engine
