#pragma once

#include <span>

#include "belfry/cli/output.h"

namespace belfry::cli {

/// Runs one command line (without the program's name first) and returns its exit code. Results go
/// to stdout, everything else to stderr. Throws only what is a bug or std::bad_alloc; `main` turns
/// both into exit codes.
[[nodiscard]] ExitCode run(std::span<const char* const> arguments);

/// Whether a command line asks for JSON, for those who have to answer before it is parsed.
[[nodiscard]] ResultFormat wanted_format(std::span<const char* const> arguments);

}  // namespace belfry::cli
