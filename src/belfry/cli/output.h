#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/cli/session.h"
#include "belfry/field/fr.h"

namespace belfry::cli {

/// The exit codes of the command line, a contract with scripts.
enum class ExitCode : std::uint8_t {
  kDone = 0,         ///< done, or the answer is yes
  kNo = 1,           ///< the answer is no
  kUsage = 2,        ///< wrong usage
  kBadInput = 3,     ///< a file or request is wrong or missing
  kExhausted = 4,    ///< not enough memory, VRAM or disk
  kBackend = 5,      ///< device or backend failed
  kBug = 70,         ///< a bug in Belfry
  kCancelled = 130,  ///< stopped by SIGINT or SIGTERM, as shells say it
};
[[nodiscard]] ExitCode exit_code(ErrorCode code) noexcept;

/// Results as lines for people, or as one JSON object on one line.
enum class ResultFormat : bool { kText, kJson };

/// Tells an outcome or a failure and returns the exit code that goes with it. With kJson, exactly
/// one line on stdout; with kText, an outcome goes to stdout and a failure to stderr. kExhausted if
/// stdout takes no more.
[[nodiscard]] ExitCode tell(const Outcome& outcome, ResultFormat format);
[[nodiscard]] ExitCode tell(const Error& error, ResultFormat format,
                            const FailureDetails& details = {});

/// The members of an error as cli.md names them; fields that are not set are left out.
[[nodiscard]] JsonObject error_json(const Error& error);

/// 32 bytes as hex digits in the order of the file, as commitments are told.
[[nodiscard]] std::string hex(const FrBytes& node);

/// Writes to a descriptor, all of it; false if it takes no more.
[[nodiscard]] bool write_all(int descriptor, std::string_view text) noexcept;

}  // namespace belfry::cli
