#pragma once

#include <concepts>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "belfry/base/error.h"

namespace spdlog {
// NOLINTNEXTLINE(readability-identifier-naming): spdlog's own name
class logger;
}  // namespace spdlog

namespace belfry::trace {

enum class Level : unsigned char { kDebug, kInfo, kWarning, kError, kOff };
enum class LogFormat : unsigned char { kText, kJson };

/// "debug", "info", "warn", "error", "off".
[[nodiscard]] std::string_view to_string(Level level) noexcept;
/// kInvalidUsage for any other word.
[[nodiscard]] Result<Level> parse_level(std::string_view text);

/// One key=value of a log line.
struct Field {
  std::string key;
  std::string value;

  Field(std::string_view name, std::string_view text) : key(name), value(text) {}
  Field(std::string_view name, const char* text) : key(name), value(text) {}
  Field(std::string_view name, const std::string& text) : key(name), value(text) {}
  Field(std::string_view name, std::integral auto number)
      : key(name), value(std::to_string(number)) {}
  Field(std::string_view name, double number);
};
using Fields = std::initializer_list<Field>;

/// Writes log lines to stderr through one named spdlog logger a room. Made at the top (cli, server)
/// and handed down inside a Tracer. Thread-safe; a line below the level costs one comparison.
///
/// info is for once a job, debug for once a stage. Text: `12:00:01.123 info engine: message
/// key=value` (values with blanks are quoted); JSON: one object a line with time, level, room,
/// message and the keys.
class Log {
 public:
  Log(Level level, LogFormat format) : level_(level), format_(format) {}
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();

  [[nodiscard]] bool enabled(Level level) const noexcept { return level >= level_; }
  void write(std::string_view room, Level level, std::string_view message, Fields fields = {});

 private:
  [[nodiscard]] spdlog::logger& logger(std::string_view room);

  Level level_;
  LogFormat format_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<spdlog::logger>, std::less<>> loggers_;  // by room
};

/// The part of a line after time, level and room: `message key=value` or `"message":…,"key":…`.
[[nodiscard]] std::string render_line(LogFormat format, std::string_view message, Fields fields);

/// Text as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD, so that the line
/// stays one valid JSON value whatever a file name holds.
[[nodiscard]] std::string json_quote(std::string_view text);

}  // namespace belfry::trace
