#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/jobs/porep.h"
#include "belfry/filecoin/formats/parameters.h"
#include "groth16/recorded.h"
#include "support/temp_dir.h"
#include "support/vectors.h"

namespace belfry::engine::test {

/// Where parameters from the recorded trapdoor are made, once for all tests of a suite.
class TestParameters {
 public:
  explicit TestParameters(std::string_view circuit_name, BackendPolicy maker = BackendPolicy::kCpu)
      : circuit_(*filecoin::find_circuit(circuit_name)) {
    JobOptions making = options();
    making.backend = maker;
    auto made = set_up_for_tests(circuit_, groth16::test::recorded_trapdoor(), dir_.path(), making);
    EXPECT_TRUE(made) << (made ? "" : made.error().describe());
    if (made) report_ = *std::move(made);
  }

  [[nodiscard]] const filecoin::Circuit& circuit() const { return circuit_; }
  [[nodiscard]] const groth16::SetupReport& report() const { return report_; }
  [[nodiscard]] JobOptions options() const {
    return {.params_dir = dir_.path(),
            .cache_dir = dir_ / "cache",
            .backend = BackendPolicy::kCpu,
            .executor = executor_};
  }

 private:
  belfry::test::TempDir dir_;
  Executor executor_;
  filecoin::Circuit circuit_;
  groth16::SetupReport report_;
};

/// Compares files that were made with what tests/vectors/parameters says about them.
inline void expect_recorded_files(const TestParameters& parameters) {
  const std::string stem = filecoin::parameter_stem(parameters.circuit());
  const belfry::test::JsonFile expected("parameters/" + stem + ".json");
  const groth16::SetupReport& report = parameters.report();
  const auto params = expected["params"];
  EXPECT_EQ(report.params.file.filename(), stem + ".params");
  EXPECT_EQ(report.params.bytes, params["bytes"].get_uint64().value());
  EXPECT_EQ(to_hex(report.params.sha256), std::string_view(params["sha256"]));
  EXPECT_EQ(to_hex(report.params.digest), std::string_view(params["blake2b_32"]));
  std::size_t i = 0;
  for (const auto section : params["sections"].get_array()) {
    ASSERT_LT(i, report.sections.size());
    EXPECT_EQ(report.sections[i].name, std::string_view(section["name"]));
    EXPECT_EQ(report.sections[i].count, section["count"].get_uint64().value());
    EXPECT_EQ(to_hex(report.sections[i].sha256), std::string_view(section["sha256"]));
    ++i;
  }
  EXPECT_EQ(i, report.sections.size());
  EXPECT_EQ(report.vk.bytes, expected["vk"]["bytes"].get_uint64().value());
  EXPECT_EQ(to_hex(report.vk.sha256), std::string_view(expected["vk"]["sha256"]));
}

/// The proof of a C1 output under fixed blinding, in hex.
inline std::string proof_hex(const filecoin::C1Output& c1,
                             const groth16::ProofRandomness& randomness,
                             const JobOptions& options) {
  const auto proof = prove_porep(c1, {randomness}, options);
  if (!proof) {
    ADD_FAILURE() << proof.error().describe();
    return {};
  }
  EXPECT_TRUE(proof->test_randomness);
  EXPECT_TRUE(proof->origin.test_parameters);
  EXPECT_EQ(proof->backend, "cpu");
  return to_hex(proof->proof);
}

}  // namespace belfry::engine::test
