#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/vectors.h"

namespace belfry::test {

/// The hex digits of 32 equal bytes.
inline std::string repeated(const std::string& byte) {
  std::string text;
  for (int i = 0; i < 32; ++i) text += byte;
  return text;
}

/// The data of the vectors: shift 0 was sealed, shift 1 is the update.
inline std::string piece(std::uint32_t shift, std::size_t size = 2032) {
  std::string data;
  for (std::uint32_t i = 0; i < size; ++i) {
    data.push_back(static_cast<char>(((i + shift) * 2654435761U) >> 24U));
  }
  return data;
}

/// `verify porep` of a proof of the recorded sector in a folder of tests/vectors, with one option
/// replaced; answers in JSON.
inline std::vector<std::string> verify_porep_arguments(const std::string& folder,
                                                       const std::string& proof,
                                                       const std::string& option,
                                                       const std::string& value) {
  const JsonFile sector(folder + "sector.json");
  const std::pair<std::string, std::string> options[] = {
      {"--proof", vector_path(folder + proof).string()},
      {"--proof-type", text(sector["registered_proof"])},
      {"--comm-r", text(sector["comm_r"])},
      {"--comm-d", text(sector["comm_d"])},
      {"--miner", "f01000"},
      {"--sector", "1"},
      {"--ticket", text(sector["ticket"])},
      {"--seed", text(sector["seed"])},
      {"--params", vector_path("parameters").string()}};
  std::vector<std::string> arguments{"verify", "porep", "--json"};
  for (const auto& [name, usual] : options) {
    arguments.push_back(name);
    arguments.push_back(name == option ? value : usual);
  }
  return arguments;
}

}  // namespace belfry::test
