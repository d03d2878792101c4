#include "belfry/cli/bench/estimate.h"

#include <bit>
#include <cstdint>

#include "belfry/filecoin/circuits.h"

namespace belfry::cli::bench {
namespace {

/// What the prover reaches of its floor on two quiet cores with IFMA (docs/perf/prove_cpu.md).
constexpr double kMeasuredShare = 0.25;

/// Three in four variables of the circuits stand in B.
constexpr double kInB = 0.75;

}  // namespace

Result<double> estimate_partition_seconds(const filecoin::Circuit& circuit,
                                          const FloorModel& floor) {
  BELFRY_TRY(const filecoin::CircuitCounts counts, filecoin::circuit_counts(circuit));
  const auto aux = static_cast<double>(counts.aux);
  ProofSizes sizes{
      .log_rows = static_cast<unsigned>(std::bit_width(counts.constraints + counts.inputs - 1))};
  if (circuit.kind == filecoin::CircuitKind::kWinning ||
      circuit.kind == filecoin::CircuitKind::kWindow) {
    sizes.fields = counts.aux;
    sizes.fields_b = static_cast<std::uint64_t>(kInB * aux);
  } else {
    // Half of the bits are ones; few of them stand in B.
    sizes.bits_l = aux / 2;
    sizes.bits_a = aux / 2;
  }
  return proof_seconds(floor, sizes) / kMeasuredShare;
}

}  // namespace belfry::cli::bench
