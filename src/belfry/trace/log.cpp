#include "belfry/trace/log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace belfry::trace {
namespace {

constexpr std::array kLevels{Level::kDebug, Level::kInfo, Level::kWarning, Level::kError,
                             Level::kOff};

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarning:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
    case Level::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::off;
}

/// Times are UTC, so that lines of several machines can be merged.
std::unique_ptr<spdlog::formatter> line_formatter(LogFormat format) {
  const char* pattern = format == LogFormat::kJson
                            ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","room":"%n",%v})"
                            : "%H:%M:%S.%e %l %n: %v";
  return std::make_unique<spdlog::pattern_formatter>(pattern, spdlog::pattern_time_type::utc);
}

/// A kind of UTF-8 sequence: first and second byte lie in ranges, all further ones in 0x80 to 0xBF.
struct Utf8Form {
  unsigned first_low;
  unsigned first_high;
  unsigned second_low;
  unsigned second_high;
  std::size_t length;
};

// RFC 3629, section 4: no overlong forms, no surrogates, nothing above U+10FFFF.
constexpr std::array kUtf8Forms{
    Utf8Form{0xC2, 0xDF, 0x80, 0xBF, 2}, Utf8Form{0xE0, 0xE0, 0xA0, 0xBF, 3},
    Utf8Form{0xE1, 0xEC, 0x80, 0xBF, 3}, Utf8Form{0xED, 0xED, 0x80, 0x9F, 3},
    Utf8Form{0xEE, 0xEF, 0x80, 0xBF, 3}, Utf8Form{0xF0, 0xF0, 0x90, 0xBF, 4},
    Utf8Form{0xF1, 0xF3, 0x80, 0xBF, 4}, Utf8Form{0xF4, 0xF4, 0x80, 0x8F, 4}};

bool starts_with(std::string_view text, const Utf8Form& form) {
  if (text.size() < form.length) return false;
  const auto within = [text](std::size_t i, unsigned low, unsigned high) {
    const unsigned byte = static_cast<unsigned char>(text[i]);
    return low <= byte && byte <= high;
  };
  const auto& any = kUtf8Forms.front();
  return within(0, form.first_low, form.first_high) &&
         within(1, form.second_low, form.second_high) &&
         (form.length < 3 || within(2, any.second_low, any.second_high)) &&
         (form.length < 4 || within(3, any.second_low, any.second_high));
}

/// Length of the well-formed UTF-8 sequence at the front of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  constexpr unsigned kAsciiEnd = 0x80;
  if (static_cast<unsigned char>(text.front()) < kAsciiEnd) return 1;
  const auto* const form = std::ranges::find_if(
      kUtf8Forms, [text](const Utf8Form& candidate) { return starts_with(text, candidate); });
  return form == kUtf8Forms.end() ? 0 : form->length;
}

void append_json_character(std::string& out, std::string_view character) {
  const char c = character.front();
  switch (c) {
    case '"':
      out += R"(\")";
      return;
    case '\\':
      out += R"(\\)";
      return;
    case '\n':
      out += R"(\n)";
      return;
    case '\r':
      out += R"(\r)";
      return;
    case '\t':
      out += R"(\t)";
      return;
    default:
      break;
  }
  const bool control = static_cast<unsigned char>(c) < ' ';
  if (control) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  } else {
    out += character;
  }
}

/// A value as it stands in a text line: quoted if a reader could not tell where it ends.
std::string plain_value(const std::string& value) {
  const bool clear = !value.empty() && value.find_first_of(" \t\n\r\"=") == std::string::npos;
  return clear ? value : json_quote(value);
}

}  // namespace

std::string_view to_string(Level level) noexcept {
  switch (level) {
    case Level::kDebug:
      return "debug";
    case Level::kInfo:
      return "info";
    case Level::kWarning:
      return "warn";
    case Level::kError:
      return "error";
    case Level::kOff:
      return "off";
  }
  return "off";
}

Result<Level> parse_level(std::string_view text) {
  for (const Level level : kLevels) {
    if (to_string(level) == text) return level;
  }
  return fail(Error{ErrorCode::kInvalidUsage, "trace.log", "no such log level"}.but(
      "debug, info, warn, error or off", std::string(text)));
}

Field::Field(std::string_view name, double number)
    : key(name), value(fmt::format("{:.6g}", number)) {}

Log::~Log() = default;

void Log::write(std::string_view room, Level level, std::string_view message, Fields fields) {
  if (!enabled(level) || level == Level::kOff) return;
  logger(room).log(spdlog_level(level), render_line(format_, message, fields));
}

spdlog::logger& Log::logger(std::string_view room) {
  const std::scoped_lock lock(mutex_);
  const auto found = loggers_.find(room);
  if (found != loggers_.end()) return *found->second;
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  auto made = std::make_shared<spdlog::logger>(std::string(room), std::move(sink));
  made->set_level(spdlog_level(level_));
  made->set_formatter(line_formatter(format_));
  made->flush_on(spdlog::level::debug);
  return *loggers_.emplace(room, std::move(made)).first->second;
}

std::string render_line(LogFormat format, std::string_view message, Fields fields) {
  if (format == LogFormat::kJson) {
    std::string line = R"("message":)" + json_quote(message);
    for (const Field& field : fields)
      line += "," + json_quote(field.key) + ":" + json_quote(field.value);
    return line;
  }
  std::string line(message);
  for (const Field& field : fields) line += " " + field.key + "=" + plain_value(field.value);
  return line;
}

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD
    } else {
      append_json_character(out, text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out + "\"";
}

}  // namespace belfry::trace
