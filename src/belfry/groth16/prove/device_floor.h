#pragma once

#include <cstdint>
#include <string_view>

#include "belfry/groth16/prove/prepared_shape.h"

namespace belfry::groth16 {

/// The least that a stage of DeviceProver can take, all its runs of one pass together, if the
/// multiplier pipe (or the memory, for stages without multiplications) never waited, at the clock
/// of an H200. docs/perf/gpu_proof.md has the arithmetic. 0 for a stage without a model.
[[nodiscard]] double device_floor_seconds(std::string_view stage, const PreparedShape& shape,
                                          unsigned partitions, unsigned multiprocessors);

}  // namespace belfry::groth16
