#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/engine/backend_policy.h"
#include "belfry/trace/log.h"

namespace belfry::config {

/// Everything that flags and the configuration file decide, for all commands. A value.
struct Settings {
  std::filesystem::path params = "/var/tmp/filecoin-proof-parameters";
  std::filesystem::path cache = "/var/tmp/belfry-cache";
  engine::BackendPolicy backend = engine::BackendPolicy::kAuto;
  std::uint64_t threads = 0;              ///< 0: as many as the process may run on
  std::uint64_t memory_budget_bytes = 0;  ///< 0: what machine and cgroup allow
  std::uint64_t vram_budget_bytes = 0;    ///< 0: what the card has
  trace::Level log_level = trace::Level::kInfo;
  trace::LogFormat log_format = trace::LogFormat::kText;
  bool quiet = false;
};

/// One row of the table of settings. Flags, configuration file, help text and `belfry doctor` are
/// made from these rows and from nothing else.
struct SettingRow {
  std::string_view key;    ///< in the file; the flag is the same with '-' for '_'
  std::string_view value;  ///< what stands behind the flag: "DIR"; empty for a switch
  std::string_view help;
  Result<void> (*assign)(Settings& settings, std::string_view text);
  std::string (*show)(const Settings& settings);
};

[[nodiscard]] std::span<const SettingRow> settings_table() noexcept;

/// Sets one row from text. kInvalidUsage names the row, what it expects and what it found.
[[nodiscard]] Result<void> assign(Settings& settings, std::string_view key, std::string_view text);

/// Reads a TOML file over `settings`: every key is a row of the table, at the top level; values are
/// strings, integers or booleans. kInvalidInput names file, key and line: unknown keys, other
/// types, values that the row refuses, text that is no TOML, more than 1 MiB.
[[nodiscard]] Result<void> read_config_file(const std::filesystem::path& path, Settings& settings);

/// kInvalidUsage for settings that contradict each other (a VRAM budget for the CPU).
[[nodiscard]] Result<void> check_consistent(const Settings& settings);

}  // namespace belfry::config
