#pragma once

#include <array>
#include <string_view>

#include "belfry/trace/metrics.h"

namespace belfry::engine {

inline constexpr std::string_view kProofs = "belfry_proofs_total";
inline constexpr std::string_view kBackendFallbacks = "belfry_backend_fallbacks_total";
inline constexpr std::string_view kSelfCheckFailures = "belfry_self_check_failures_total";
inline constexpr std::string_view kDerivedDistrusted = "belfry_derived_distrusted_total";
inline constexpr std::string_view kShapesReplaced = "belfry_shapes_replaced_total";

/// The metrics of this room.
inline constexpr std::array kEngineMetrics{
    trace::MetricSpec{trace::MetricKind::kCounter, kProofs, "1",
                      "Proofs that were made and verified, by circuit", "circuit"},
    trace::MetricSpec{trace::MetricKind::kCounter, kBackendFallbacks, "1",
                      "Proofs that policy auto made, or went on with, on the CPU, by what the card "
                      "failed with: not_found where there is none",
                      "reason"},
    trace::MetricSpec{trace::MetricKind::kCounter, kSelfCheckFailures, "1",
                      "Partitions whose proof did not verify and was withheld, by backend",
                      "backend"},
    trace::MetricSpec{
        trace::MetricKind::kCounter, kDerivedDistrusted, "1",
        "Files of derived parameters whose proofs did not verify: proved again without"},
    trace::MetricSpec{trace::MetricKind::kCounter, kShapesReplaced, "1",
                      "Cached shapes that were of no use and were made anew, by circuit",
                      "circuit"}};

}  // namespace belfry::engine
