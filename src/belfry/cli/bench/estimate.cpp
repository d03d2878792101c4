#include "belfry/cli/bench/estimate.h"

#include <bit>
#include <cstdint>

#include "belfry/filecoin/circuits.h"

namespace belfry::cli::bench {
namespace {

/// What the prover reaches of its floor on the CPU (`belfry bench proof`, docs/perf/prove_cpu.md).
constexpr double kMeasuredShare = 0.35;

/// Three in four variables of the circuits stand in B.
constexpr double kInB = 0.75;

/// Bits add half of their points; those of B are few.
double bit_sums(const FloorModel& floor, double aux) {
  return floor.additions_g1_seconds(aux / 2) + floor.additions_g1_seconds(aux / 2);
}

/// Field elements go through whole sums: L, A, B1 and B2.
double field_sums(const FloorModel& floor, double aux) {
  const auto all = static_cast<std::uint64_t>(aux);
  const auto in_b = static_cast<std::uint64_t>(kInB * aux);
  return 2 * floor.msm_g1_seconds(all) + floor.msm_g1_seconds(in_b) + floor.msm_g2_seconds(in_b);
}

}  // namespace

Result<double> estimate_partition_seconds(const filecoin::Circuit& circuit,
                                          const FloorModel& floor) {
  BELFRY_TRY(const filecoin::CircuitCounts counts, filecoin::circuit_counts(circuit));
  const auto log_size =
      static_cast<unsigned>(std::bit_width(counts.constraints + counts.inputs - 1));
  const auto aux = static_cast<double>(counts.aux);
  const bool of_fields = circuit.kind == filecoin::CircuitKind::kWinning ||
                         circuit.kind == filecoin::CircuitKind::kWindow;
  const double sums = of_fields ? field_sums(floor, aux) : bit_sums(floor, aux);
  return (sums + floor.msm_g1_seconds(std::uint64_t{1} << log_size) +
          floor.quotient_seconds(log_size)) /
         kMeasuredShare;
}

}  // namespace belfry::cli::bench
