// The circuits that the recorded parameters were made for are ours.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/r1cs/digest.h"
#include "filecoin/recorded_circuit.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

/// The circuit that a parameter file is named for.
const Circuit* circuit_named(const std::string& stem) {
  static const std::vector<Circuit> all = [] {
    std::vector<Circuit> circuits_of_all;
    for (const CircuitKind kind : circuit_families()) {
      for (const Circuit& circuit : circuits(kind)) circuits_of_all.push_back(circuit);
    }
    return circuits_of_all;
  }();
  const auto found = std::ranges::find(all, stem, parameter_stem);
  return found == all.end() ? nullptr : &*found;
}

TEST(RecordedParameters, AreThoseOfOurCircuits) {
  // The digests of larger ones are in filecoin/*-circuits.json and compared with the shapes there.
  constexpr std::uint64_t kMostTerms = 5'000'000;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::vector_path("parameters"))) {
    if (entry.path().extension() != ".json") continue;
    const std::string stem = entry.path().stem().string();
    const test::JsonFile recorded("parameters/" + stem + ".json");
    const Circuit* const circuit = circuit_named(stem);
    ASSERT_NE(circuit, nullptr) << stem;
    EXPECT_EQ(test::text(recorded["file"]), stem);
    const auto row = recorded["circuit"];
    const auto shape = circuit_shape(*circuit);
    ASSERT_TRUE(shape) << shape.error().describe();
    EXPECT_EQ(shape->inputs(), test::number(row["inputs"]));
    EXPECT_EQ(shape->aux(), test::number(row["aux"]));
    EXPECT_EQ(shape->constraints(), test::number(row["constraints"]));
    std::size_t matrix = 0;
    for (const auto terms : row["terms_a_b_c"].get_array()) {
      EXPECT_EQ(test::terms(*shape, static_cast<r1cs::Matrix>(matrix++)), test::number(terms));
    }
    EXPECT_EQ(matrix, 3U);
    ++count;
    if (test::terms(*shape, r1cs::Matrix::kA) > kMostTerms) continue;
    EXPECT_EQ(to_hex(r1cs::r1cs_digest(*shape)), test::text(row["r1cs_digest"]));
  }
  EXPECT_EQ(count, 7U);
}

}  // namespace
}  // namespace belfry::filecoin
