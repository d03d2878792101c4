#include "belfry/cli/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace belfry::cli {
namespace {

const char* variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

bool on_terminal() noexcept { return ::isatty(STDERR_FILENO) == 1; }

config::Settings default_settings() {
  config::Settings settings;
  if (const char* params = variable("FIL_PROOFS_PARAMETER_CACHE")) settings.params = params;
  if (const char* cache = variable("XDG_CACHE_HOME")) {
    settings.cache = std::filesystem::path(cache) / "belfry";
  } else if (const char* home = variable("HOME")) {
    settings.cache = std::filesystem::path(home) / ".cache" / "belfry";
  }
  if (on_terminal()) settings.log_level = trace::Level::kWarning;
  return settings;
}

}  // namespace belfry::cli
