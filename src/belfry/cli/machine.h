#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// What the kernel tells of the machine under it. Functions take the root folder that holds `proc/`
/// and `sys/` as the kernel shows them, so that tests bring their own.
namespace belfry::cli {

/// "model name" of the first CPU in proc/cpuinfo; nothing where the kernel has no such line.
[[nodiscard]] std::optional<std::string> cpu_model(const std::filesystem::path& root = "/");

/// Version of the NVIDIA driver in the kernel, "550.54.15"; nothing where none is loaded.
[[nodiscard]] std::optional<std::string> nvidia_driver(const std::filesystem::path& root = "/");

}  // namespace belfry::cli
