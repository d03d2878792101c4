#pragma once

#include <array>
#include <string_view>

#include "belfry/trace/metrics.h"

namespace belfry::groth16 {

inline constexpr std::string_view kDerivedRefused = "belfry_derived_refused_total";
inline constexpr std::string_view kDerivedMissing = "belfry_derived_missing_total";
inline constexpr std::string_view kStreamedProofs = "belfry_streamed_proofs_total";

/// The metrics of this room.
inline constexpr std::array kGroth16Metrics{
    trace::MetricSpec{trace::MetricKind::kCounter, kDerivedRefused, "1",
                      "Files of derived parameters that were damaged or of other parameters"},
    trace::MetricSpec{trace::MetricKind::kCounter, kDerivedMissing, "1",
                      "Partitions that a device proved with six transforms for want of derived "
                      "parameters"},
    trace::MetricSpec{trace::MetricKind::kCounter, kStreamedProofs, "1",
                      "Partitions whose points did not all fit a device, by residency",
                      "residency"}};

}  // namespace belfry::groth16
