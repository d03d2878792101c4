#pragma once

#include <cstdint>
#include <string_view>

#include "belfry/groth16/prove/prepared_shape.h"

namespace belfry::groth16 {

/// What a device can do in a second at the clock of an H200 if nothing else were to be done.
struct DeviceRates {
  double fp = 0;            ///< products
  double fr = 0;            ///< products
  double additions_g1 = 0;  ///< affine, with a shared inversion
  double additions_g2 = 0;
  double memory = 0;  ///< bytes
};
[[nodiscard]] DeviceRates device_rates(unsigned multiprocessors) noexcept;

/// Additions of the cheapest bucket method for n full scalars: a digit each, two a bucket.
[[nodiscard]] double least_additions(double n) noexcept;

/// The least that a stage of DeviceProver can take, all its runs of one pass together, if the
/// multiplier pipe (or the memory, for stages without multiplications) never waited, at the clock
/// of an H200. docs/perf/gpu_proof.md has the arithmetic. 0 for a stage without a model.
[[nodiscard]] double device_floor_seconds(std::string_view stage, const PreparedShape& shape,
                                          unsigned partitions, unsigned multiprocessors);

}  // namespace belfry::groth16
