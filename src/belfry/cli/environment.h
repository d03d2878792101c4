#pragma once

#include "belfry/config/settings.h"

namespace belfry::cli {

/// Defaults of this user and machine: `FIL_PROOFS_PARAMETER_CACHE` for the parameters, and
/// `XDG_CACHE_HOME` or `HOME` for the cache. The only place where the environment is read; empty
/// variables count as unset. On a terminal the progress bar replaces log lines below warnings.
[[nodiscard]] config::Settings default_settings();

/// True if stderr is a terminal.
[[nodiscard]] bool on_terminal() noexcept;

}  // namespace belfry::cli
