#include <exception>
#include <new>
#include <span>
#include <string>

#include "belfry/cli/app.h"

namespace {

/// What escaped every Result: memory that is not there, or a bug.
belfry::Error escaped(belfry::ErrorCode code, const std::string& message, const std::string& hint) {
  return belfry::Error{code, "cli.main", message}.with_hint(hint);
}

}  // namespace

int main(int argc, char** argv) {
  using belfry::ErrorCode;
  const std::span<const char* const> arguments(argv + 1,
                                               argc > 0 ? static_cast<std::size_t>(argc) - 1 : 0);
  const auto format = belfry::cli::wanted_format(arguments);
  auto code = belfry::cli::ExitCode::kBug;
  try {
    code = belfry::cli::run(arguments);
  } catch (const std::bad_alloc&) {
    code = belfry::cli::tell(escaped(ErrorCode::kResourceExhausted, "out of memory",
                                     "Lower --threads or --memory-budget"),
                             format);
  } catch (const std::exception& error) {
    code = belfry::cli::tell(escaped(ErrorCode::kInternal, std::string("a bug: ") + error.what(),
                                     "Please report it with the command line"),
                             format);
  }
  return static_cast<int>(code);
}
