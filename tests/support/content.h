#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace belfry::test {

/// A whole file; empty if there is none.
inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace belfry::test
