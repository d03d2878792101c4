#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/field/fr.h"

namespace belfry::test {

/// Path of a file below tests/vectors.
inline std::filesystem::path vector_path(std::string_view name) {
  return std::filesystem::path(BELFRY_TEST_VECTORS) / name;
}

inline std::vector<std::uint8_t> read_vector(std::string_view name) {
  std::ifstream file(vector_path(name), std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An integer of a vector file, where no type asks for one.
inline std::uint64_t number(simdjson::dom::element element) { return element; }

/// A parsed vector file; elements stay valid as long as this object.
class JsonFile {
 public:
  explicit JsonFile(std::string_view name) : root_(parser_.load(vector_path(name).string())) {}
  [[nodiscard]] simdjson::dom::element root() const { return root_; }
  [[nodiscard]] simdjson::dom::element operator[](std::string_view key) const { return root_[key]; }

 private:
  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
};

inline std::string text(simdjson::dom::element element) {
  return std::string(std::string_view(element));
}

/// Bytes of a hex string in file order.
inline std::vector<std::uint8_t> hex_bytes(simdjson::dom::element element) {
  const auto bytes = from_hex(std::string_view(element));
  EXPECT_TRUE(bytes.has_value());
  return bytes.value_or(std::vector<std::uint8_t>{});
}

/// A field element written as big-endian hex, with or without 0x, of any length up to 64 digits.
inline Fr fr_from_big_endian(std::string_view digits) {
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  std::string padded(64 - digits.size(), '0');
  padded += digits;
  auto bytes = bytes32_from_hex(padded);
  EXPECT_TRUE(bytes.has_value()) << digits;
  std::reverse(bytes->begin(), bytes->end());
  const auto value = FrBytes::parse_fr(*bytes);
  EXPECT_TRUE(value.has_value()) << digits;
  return value.value_or(Fr::zero());
}
inline Fr fr_from_big_endian(simdjson::dom::element element) {
  return fr_from_big_endian(std::string_view(element));
}

/// Uniform elements from a seed.
inline Fr random_fr(std::mt19937_64& rng) {
  Fr::Limbs limbs{rng(), rng(), rng(), rng() >> 2};
  return Fr{limbs};
}
inline std::vector<Fr> random_frs(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Fr> out(n);
  for (auto& x : out) x = random_fr(rng);
  return out;
}

}  // namespace belfry::test
