#include "belfry/cli/machine.h"

#include <fstream>
#include <string_view>

namespace belfry::cli {

std::optional<std::string> cpu_model(const std::filesystem::path& root) {
  constexpr std::string_view kName = "model name";
  std::ifstream in(root / "proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    if (!line.starts_with(kName)) continue;
    const std::size_t value = line.find_first_not_of(" \t:", kName.size());
    if (value != std::string::npos) return line.substr(value);
  }
  return std::nullopt;
}

std::optional<std::string> nvidia_driver(const std::filesystem::path& root) {
  std::ifstream in(root / "sys/module/nvidia/version");
  std::string version;
  if (!std::getline(in, version) || version.empty()) return std::nullopt;
  return version;
}

}  // namespace belfry::cli
