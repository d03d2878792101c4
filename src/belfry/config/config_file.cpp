// toml++ is used from its headers alone and without exceptions: its Debian library throws.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/config/settings.h"

namespace belfry::config {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;

std::string line_of(const toml::source_region& region) {
  return "line " + std::to_string(region.begin.line);
}

/// A value as the text that the flag would take; nothing for other types.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  return std::nullopt;
}

Error refused(const std::filesystem::path& path, std::string message, std::string_view key,
              std::string expected, std::string found) {
  return invalid("config.file", std::move(message))
      .in_file(path.string())
      .in_section(std::string(key))
      .but(std::move(expected), std::move(found));
}

Result<void> apply(const std::filesystem::path& path, const toml::key& key, const toml::node& node,
                   Settings& settings) {
  const std::string where = line_of(key.source());
  const auto text = value_text(node);
  if (!text) {
    return fail(refused(path, "a value of another type", key.str(),
                        "a string, an integer, true or false", where));
  }
  auto done = assign(settings, key.str(), *text);
  if (done) return {};
  const Error& why = done.error();
  return fail(refused(path, why.message, key.str(), why.expected,
                      why.found.empty() ? where : why.found + " in " + where));
}

}  // namespace

Result<void> read_config_file(const std::filesystem::path& path, Settings& settings) {
  BELFRY_TRY(const auto bytes, read_file(path, kMostBytes));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return fail(invalid("config.file", "not TOML: " + std::string(parsed.error().description()))
                    .in_file(path.string())
                    .in_section(line_of(parsed.error().source())));
  }
  for (const auto& [key, node] : parsed.table()) {
    BELFRY_CHECK(apply(path, key, node, settings));
  }
  return {};
}

}  // namespace belfry::config
