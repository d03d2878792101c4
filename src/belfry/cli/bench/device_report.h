#pragma once

#include "belfry/cli/session.h"
#include "belfry/engine/jobs/device_trial.h"

namespace belfry::cli::bench {

/// What a trial on a card took, and how its prover lay there: what was asked for is not always what
/// fits. Fewer copies of H than `h_copies_asked` are a warning in the log.
[[nodiscard]] Outcome report_trial(const engine::DeviceTrialReport& trial, unsigned h_copies_asked,
                                   const SessionView& session);

}  // namespace belfry::cli::bench
