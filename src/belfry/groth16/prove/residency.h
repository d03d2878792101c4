#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/prove/prover_options.h"
#include "belfry/groth16/prove/query_tail.h"

namespace belfry::groth16 {

/// "roomy", "compact", "spilled".
[[nodiscard]] std::string_view to_string(QuotientRoom room) noexcept;

/// Whether a prover that lies in memory as `have` does can do what one as `wanted` would: the same
/// but for more witnesses that share a pass. So a last, smaller batch loads nothing anew.
[[nodiscard]] bool serves(DeviceProverOptions have, const DeviceProverOptions& wanted) noexcept;

/// What a choice of residency is made for.
struct ResidencyQuestion {
  QuotientBasis basis = QuotientBasis::kCoefficients;
  unsigned log_rows = 0;  ///< of the domain
  unsigned masks = 1;     ///< partitions that share a pass, if that fits
  unsigned h_copies = 1;  ///< of H, if that fits
  unsigned lanes = 1;     ///< for witnesses, in all choices
  /// Sums of elements that are made tile by tile where the points do not stay, for one witness, in
  /// sums of H (tiled_sums).
  double tiled_sums = 0;
};

/// ResidencyQuestion::tiled_sums of the queries L, A and B of a shape.
[[nodiscard]] double tiled_sums(std::span<const QueryTail, 3> tails, unsigned log_rows) noexcept;

/// All ways to lie in memory that are worth trying, the fastest first: all points (with copies,
/// then without), H alone, none; of each, tiles and room for the quotient by what they cost, as
/// measured (docs/perf/gpu_proof.md). At the end the same for one witness at a time, which reads
/// the points anew for each.
[[nodiscard]] std::vector<DeviceProverOptions> residency_choices(const ResidencyQuestion& question);

/// The first choice that `try_one` accepts.
///
/// @param try_one  success, or kResourceExhausted for a choice that does not fit; any other error
///                 ends the search
/// @return the last error when nothing fits
[[nodiscard]] Result<DeviceProverOptions> choose_residency(
    const ResidencyQuestion& question,
    const std::function<Result<void>(const DeviceProverOptions&)>& try_one);

}  // namespace belfry::groth16
