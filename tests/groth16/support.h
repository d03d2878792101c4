#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/params/params.h"
#include "belfry/r1cs/synthesize.h"
#include "support/mini_system.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry::groth16::test {

using belfry::test::kMiniSystems;
using belfry::test::mini_file;
using belfry::test::MiniSystem;

inline std::string mini_params(std::string_view name) {
  return mini_file(name, std::string(name) + ".params");
}

using Bytes = std::vector<std::uint8_t>;

inline void write_bytes(const std::filesystem::path& path, ByteSpan bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(file.good()) << path;
}

inline Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The value of a Result that is expected to hold one.
template <class T>
T value_of(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().describe();
    std::abort();
  }
  return *std::move(result);
}

inline Parameters open_mini(std::string_view name) {
  return value_of(Parameters::open(belfry::test::vector_path(mini_params(name))));
}

inline r1cs::Shape shape_of(const MiniSystem& system, std::string_view name) {
  return value_of(r1cs::extract_shape(std::string(name), system));
}
inline r1cs::PackedWitness witness_of(const MiniSystem& system, const r1cs::Shape& shape,
                                      const Executor& executor) {
  return value_of(r1cs::compute_witness(shape.layout(), system, executor));
}

}  // namespace belfry::groth16::test
