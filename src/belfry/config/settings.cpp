#include "belfry/config/settings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "belfry/base/parse_decimal.h"
#include "belfry/config/size.h"

namespace belfry::config {
namespace {

Error bad_value(std::string_view message, std::string expected, std::string_view found) {
  return Error{ErrorCode::kInvalidUsage, "config.settings", std::string(message)}.but(
      std::move(expected), std::string(found));
}

Result<void> assign_path(std::filesystem::path& target, std::string_view text) {
  if (text.empty()) return fail(bad_value("the name is empty", "a folder", text));
  target = std::filesystem::path(text);
  return {};
}

Result<void> assign_params(Settings& settings, std::string_view text) {
  return assign_path(settings.params, text);
}
Result<void> assign_cache(Settings& settings, std::string_view text) {
  return assign_path(settings.cache, text);
}
Result<void> assign_backend(Settings& settings, std::string_view text) {
  BELFRY_TRY(settings.backend, engine::parse_backend_policy(text));
  return {};
}
Result<void> assign_threads(Settings& settings, std::string_view text) {
  constexpr std::uint64_t kMostThreads = 4096;
  const auto count = parse_decimal<std::uint64_t>(text);
  if (!count || *count > kMostThreads) {
    return fail(bad_value("not a number of threads", "0 to 4096, 0 for all", text));
  }
  settings.threads = *count;
  return {};
}
/// Nothing is no budget: whoever leaves the setting out means everything there is.
Result<std::uint64_t> parse_budget(std::string_view text) {
  BELFRY_TRY(const std::uint64_t bytes, parse_size(text));
  if (bytes != 0) return bytes;
  return fail(
      bad_value("a budget of nothing", "at least 1B, or no such setting for all there is", text));
}
Result<void> assign_memory_budget(Settings& settings, std::string_view text) {
  BELFRY_TRY(settings.memory_budget_bytes, parse_budget(text));
  return {};
}
Result<void> assign_vram_budget(Settings& settings, std::string_view text) {
  BELFRY_TRY(settings.vram_budget_bytes, parse_budget(text));
  return {};
}
Result<void> assign_log_level(Settings& settings, std::string_view text) {
  BELFRY_TRY(settings.log_level, trace::parse_level(text));
  return {};
}
Result<void> assign_log_format(Settings& settings, std::string_view text) {
  if (text != "text" && text != "json") {
    return fail(bad_value("no such log format", "text or json", text));
  }
  settings.log_format = text == "json" ? trace::LogFormat::kJson : trace::LogFormat::kText;
  return {};
}
Result<void> assign_quiet(Settings& settings, std::string_view text) {
  if (text != "true" && text != "false") {
    return fail(bad_value("not a switch", "true or false", text));
  }
  settings.quiet = text == "true";
  return {};
}

std::string show_budget(std::uint64_t bytes) {
  return bytes == 0 ? "what the machine allows" : format_size(bytes);
}

constexpr std::array kTable{
    SettingRow{"params", "DIR", "Folder of parameter and key files", assign_params,
               [](const Settings& s) { return s.params.string(); }},
    SettingRow{"cache", "DIR", "Folder of circuit shapes and check verdicts", assign_cache,
               [](const Settings& s) { return s.cache.string(); }},
    SettingRow{"backend", "auto|cpu|cuda", "Who proves", assign_backend,
               [](const Settings& s) { return std::string(engine::to_string(s.backend)); }},
    SettingRow{"threads", "N", "Worker threads, 0 for one a CPU", assign_threads,
               [](const Settings& s) { return std::to_string(s.threads); }},
    SettingRow{"memory_budget", "SIZE", "Most memory beside mapped files, such as 16GiB",
               assign_memory_budget,
               [](const Settings& s) { return show_budget(s.memory_budget_bytes); }},
    SettingRow{"vram_budget", "SIZE", "Most memory of a GPU", assign_vram_budget,
               [](const Settings& s) { return show_budget(s.vram_budget_bytes); }},
    SettingRow{"log_level", "debug|info|warn|error|off", "Least level of log lines",
               assign_log_level,
               [](const Settings& s) { return std::string(trace::to_string(s.log_level)); }},
    SettingRow{"log_format", "text|json", "Form of log lines", assign_log_format,
               [](const Settings& s) {
                 return std::string(s.log_format == trace::LogFormat::kJson ? "json" : "text");
               }},
    SettingRow{"quiet", "", "No progress and no log lines below error", assign_quiet,
               [](const Settings& s) { return std::string(s.quiet ? "true" : "false"); }}};

}  // namespace

std::span<const SettingRow> settings_table() noexcept { return kTable; }

Result<void> assign(Settings& settings, std::string_view key, std::string_view text) {
  const auto* const row =
      std::ranges::find_if(kTable, [key](const SettingRow& r) { return r.key == key; });
  if (row == kTable.end()) {
    return fail(Error{ErrorCode::kInvalidUsage, "config.settings", "no such setting"}.in_section(
        std::string(key)));
  }
  auto done = row->assign(settings, text);
  if (!done) return fail(std::move(done.error()).in_section(std::string(key)));
  return {};
}

Result<void> check_consistent(const Settings& settings) {
  if (settings.backend == engine::BackendPolicy::kCpu && settings.vram_budget_bytes != 0) {
    return fail(Error{ErrorCode::kInvalidUsage, "config.settings",
                      "a VRAM budget makes no sense for the CPU"}
                    .in_section("vram_budget")
                    .but("backend auto or cuda", "cpu"));
  }
  return {};
}

}  // namespace belfry::config
