#pragma once

#include <CLI/App.hpp>
#include <string>

#include "belfry/cli/session.h"
#include "belfry/engine/job_options.h"

namespace belfry::cli {

/// The noun `aggregate` of `verify`.
void add_verify_aggregate(CLI::App& group, Action& selected);

/// Adds --srs, which every command has that makes or verifies aggregates.
void add_srs(CLI::App& command, std::string& srs);
/// The options of the engine's jobs with the SRS that --srs names.
[[nodiscard]] engine::JobOptions with_srs(const SessionView& session, const std::string& srs);

}  // namespace belfry::cli
