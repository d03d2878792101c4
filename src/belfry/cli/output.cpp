#include "belfry/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "belfry/base/bytes.h"

namespace belfry::cli {
namespace {

ExitCode tell_line(const std::string& line, ExitCode code) {
  return write_all(STDOUT_FILENO, line + "\n") ? code : ExitCode::kExhausted;
}

}  // namespace

ExitCode exit_code(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidInput:
    case ErrorCode::kNotFound:
      return ExitCode::kBadInput;
    case ErrorCode::kInvalidUsage:
      return ExitCode::kUsage;
    case ErrorCode::kResourceExhausted:
      return ExitCode::kExhausted;
    case ErrorCode::kCancelled:
      return ExitCode::kCancelled;
    case ErrorCode::kDeviceLost:
    case ErrorCode::kBackendFailed:
      return ExitCode::kBackend;
    case ErrorCode::kInternal:
      return ExitCode::kBug;
  }
  return ExitCode::kBug;
}

std::string hex(const FrBytes& node) { return to_hex(node.bytes()); }

bool write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

JsonObject error_json(const Error& error) {
  return JsonObject{}
      .add("kind", to_string(error.code))
      .add("message", error.message)
      .add_if_set("file", error.file)
      .add_if_set("section", error.section)
      .add("offset", error.offset)
      .add_if_set("expected", error.expected)
      .add_if_set("found", error.found)
      .add_if_set("hint", error.hint);
}

ExitCode tell(const Outcome& outcome, ResultFormat format) {
  const ExitCode code = outcome.yes ? ExitCode::kDone : ExitCode::kNo;
  if (format == ResultFormat::kText) return tell_line(outcome.text, code);
  return tell_line(JsonObject{}.add("ok", true).merge(outcome.result).json().text(), code);
}

ExitCode tell(const Error& error, ResultFormat format, const FailureDetails& details) {
  const ExitCode code = exit_code(error.code);
  if (format == ResultFormat::kJson) {
    const JsonObject whole = error_json(error).merge(details.result);
    return tell_line(JsonObject{}.add("ok", false).add("error", whole).json().text(), code);
  }
  std::string lines = "belfry: " + error.describe() + "\n";
  if (!details.text.empty()) lines += details.text + "\n";
  (void)write_all(STDERR_FILENO, lines);
  return code;
}

}  // namespace belfry::cli
