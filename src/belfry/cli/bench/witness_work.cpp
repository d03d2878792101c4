#include "belfry/cli/bench/witness_work.h"

#include <bit>

#include "belfry/field/fr.h"
#include "belfry/filecoin/update/params.h"

namespace belfry::cli::bench {
namespace {

using filecoin::SectorParams;

/// Two nodes fill a block; the padding is a second one.
constexpr std::uint64_t kDataHashCompressions = 2;
/// Replica id, layer and node, the parents' labels, and what SHA-256 appends.
constexpr std::uint64_t kLabelCompressions = [] {
  constexpr std::uint64_t kBlock = 64;
  constexpr std::uint64_t kFront = 64;
  constexpr std::uint64_t kPadding = 9;
  const std::uint64_t bytes = kFront + filecoin::kHashedParents * filecoin::kNodeBytes + kPadding;
  return (bytes + kBlock - 1) / kBlock;
}();
constexpr std::uint32_t kPair = 2;

void add_paths(WitnessWork& work, const SectorParams& sector, std::uint64_t count) {
  for (const std::uint32_t arity : filecoin::path_arities(sector.tree, sector.nodes())) {
    work.poseidon[arity] += count;
  }
}

WitnessWork porep_work(const SectorParams& sector) {
  constexpr std::uint64_t kColumns = 1 + filecoin::kParents;
  const auto data_levels = static_cast<std::uint64_t>(std::bit_width(sector.nodes()) - 1);
  WitnessWork work;
  ++work.poseidon[kPair];  // comm_r
  work.poseidon[sector.layers] += sector.challenges * kColumns;
  add_paths(work, sector, sector.challenges * (kColumns + 1));
  work.compressions = sector.challenges *
                      (sector.layers * kLabelCompressions + data_levels * kDataHashCompressions);
  return work;
}

WitnessWork post_work(filecoin::PostKind kind, const SectorParams& sector) {
  const filecoin::PostParams params = filecoin::post_params(kind, sector);
  WitnessWork work;
  work.poseidon[kPair] += params.sectors;
  add_paths(work, sector, std::uint64_t{params.sectors} * params.challenges);
  return work;
}

WitnessWork update_work(const SectorParams& sector) {
  const filecoin::UpdateParams params = filecoin::update_params(sector);
  constexpr std::uint64_t kPhiAndRoots = 3;
  WitnessWork work;
  work.poseidon[kPair] += kPhiAndRoots + params.digests() + params.challenges;
  add_paths(work, sector, 2 * std::uint64_t{params.challenges});
  const std::uint64_t apex = params.apex_leaves - 1 + params.partition_bits();
  const std::uint64_t below = std::uint64_t{params.challenges} * params.bits_below_apex();
  work.compressions = (apex + below) * kDataHashCompressions;
  return work;
}

double poseidon_seconds(const FloorModel& floor, const WitnessWork& work) {
  double seconds = 0;
  for (const auto& [arity, count] : work.poseidon) {
    seconds += static_cast<double>(count) * floor.poseidon_seconds(arity);
  }
  return seconds;
}

}  // namespace

WitnessWork witness_work(const filecoin::Circuit& circuit) {
  switch (circuit.kind) {
    case filecoin::CircuitKind::kPorep:
      return porep_work(*circuit.sector);
    case filecoin::CircuitKind::kWinning:
      return post_work(filecoin::PostKind::kWinning, *circuit.sector);
    case filecoin::CircuitKind::kWindow:
      return post_work(filecoin::PostKind::kWindow, *circuit.sector);
    case filecoin::CircuitKind::kUpdate:
      return update_work(*circuit.sector);
    case filecoin::CircuitKind::kUpdatePoseidon:
      break;  // has parameters, and no circuit here
  }
  return {};
}

double witness_seconds(const FloorModel& floor, const WitnessWork& work,
                       const r1cs::WitnessLayout& layout, double bytes_per_second) {
  constexpr double kCompressionCycles = 540;
  constexpr double kAppendedBits = 32;
  constexpr double kWordBits = 64;
  constexpr double kWordBytes = 8;
  const auto words = static_cast<double>(layout.words());
  const double cycles = static_cast<double>(work.compressions) * kCompressionCycles +
                        words * (kWordBits / kAppendedBits);
  const double bytes =
      words * kWordBytes + static_cast<double>(layout.fields()) * double{sizeof(Fr)};
  return poseidon_seconds(floor, work) + cycles * floor.cycle_seconds() +
         bytes / (bytes_per_second * floor.threads());
}

double checks_seconds(const FloorModel& floor, const WitnessWork& work) {
  constexpr double kChainCycles = 128;
  return poseidon_seconds(floor, work) +
         static_cast<double>(work.compressions) * kChainCycles * floor.cycle_seconds();
}

}  // namespace belfry::cli::bench
