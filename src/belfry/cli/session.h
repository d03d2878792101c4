#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/cli/json.h"
#include "belfry/config/settings.h"
#include "belfry/engine/job_options.h"
#include "belfry/trace/span.h"

namespace belfry::cli {

/// An option that names an output file, and what it names: empty where it was not given. A view.
struct OutputView {
  std::string_view option;
  std::string_view path;
};

/// What a command that fails tells besides its error, which has room for one fault.
struct FailureDetails {
  JsonObject result{};  ///< further members of "error"
  std::string text{};   ///< lines below that of the error, without a last newline
};

/// What a command works with. A view of what `run` owns.
struct SessionView {
  const config::Settings& settings;
  const Executor& executor;
  trace::Tracer& tracer;
  CancelToken cancel;
  OutputView trace;         ///< written after the command: no output of the command goes there
  FailureDetails& details;  ///< told if the command fails

  /// The same as the engine's jobs want it.
  [[nodiscard]] engine::JobOptions job_options() const;
};

/// What a command answers. It is told as `text`, or as one JSON object: "ok" and the members of
/// `result`.
struct Outcome {
  bool yes = true;  ///< false: the work was done and the answer is no (exit code 1)
  JsonObject result{};
  std::string text{};  ///< lines for people, without a last newline
};

/// A command whose arguments are known: runs once.
using Action = std::function<Result<Outcome>(const SessionView& session)>;

}  // namespace belfry::cli
