#include "belfry/filecoin/porep/aggregation.h"

#include <string>

#include "belfry/hash/sha256.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kAggregationStage = "filecoin.porep.aggregation";

}  // namespace

Result<void> check_aggregation(const PorepConfig& config, const AggregationProof& aggregation,
                               std::size_t sectors) {
  const bool interactive = config.feature != PorepFeature::kNonInteractive;
  if (!interactive && aggregation.number != kNonInteractiveAggregation.number) {
    return fail(invalid(std::string(kAggregationStage),
                        "non-interactive PoRep is aggregated in one way only")
                    .in_section("aggregation")
                    .but(kNonInteractiveAggregation.name(), aggregation.name()));
  }
  if (sectors > 0 && (interactive || sectors <= kMostNonInteractiveSectors)) return {};
  return fail(invalid(std::string(kAggregationStage), "no such number of sectors in an aggregate")
                  .in_section("sectors")
                  .but(interactive ? "at least 1"
                                   : "from 1 to " + std::to_string(kMostNonInteractiveSectors),
                       std::to_string(sectors)));
}

Bytes32 aggregation_digest(const PorepConfig& config, std::span<const PorepStatement> sectors) {
  hash::Sha256 digest;
  for (const PorepStatement& sector : sectors) {
    if (config.feature != PorepFeature::kNonInteractive) digest.update(sector.seed);
    digest.update(sector.comm_r.bytes());
  }
  return digest.finish();
}

Result<std::vector<std::vector<Fr>>> sector_public_inputs(const PorepConfig& config,
                                                          std::span<const PorepStatement> sectors) {
  std::vector<std::vector<Fr>> inputs;
  inputs.reserve(sectors.size() * config.partitions());
  for (const PorepStatement& sector : sectors) {
    for (std::uint32_t k = 0; k < config.partitions(); ++k) {
      BELFRY_TRY(auto partition, porep_public_inputs(config, sector, k));
      inputs.push_back(std::move(partition));
    }
  }
  return inputs;
}

}  // namespace belfry::filecoin
