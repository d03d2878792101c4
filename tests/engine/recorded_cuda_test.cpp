// Every other recorded proof of 2 KiB, made by the CUDA backend byte for byte: from a parameter
// file and from derived parameters, with all the memory it wants and with the least that will do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "belfry/engine/jobs/derive.h"
#include "belfry/engine/jobs/post.h"
#include "belfry/engine/jobs/update.h"
#include "belfry/filecoin/formats/c1.h"
#include "belfry/groth16/metrics.h"
#include "engine/listener.h"
#include "engine/recorded_files.h"
#include "engine/recorded_sector.h"
#include "engine/recorded_update.h"

namespace belfry::engine {
namespace {

using belfry::test::read_vector;
using Randomness = std::vector<groth16::ProofRandomness>;
using Made = Result<VerifiedProof>;

Made prove_recorded_porep(const std::string& folder, const Randomness& randomness,
                          const JobOptions& options) {
  BELFRY_TRY(const auto c1, filecoin::parse_c1(read_vector(folder + "/c1.json"), "c1.json"));
  return prove_porep(c1, randomness, options);
}

Made prove_recorded_winning(const std::string& folder, const Randomness& randomness,
                            const JobOptions& options) {
  const test::RecordedFiles files(belfry::test::read_recorded_post(folder));
  return prove_winning(files.views().front(), test::recorded_request(folder), randomness, options);
}

Made prove_recorded_window(const std::string& folder, const Randomness& randomness,
                           const JobOptions& options) {
  const test::RecordedFiles files(belfry::test::read_recorded_post(folder));
  return prove_window(files.views(), test::recorded_request(folder), randomness, options);
}

Made prove_recorded_update(const std::string& folder, const Randomness& randomness,
                           const JobOptions& options) {
  const test::RecordedUpdate update(folder);
  return prove_update(update.files(), update.claim(), randomness, options);
}

struct Case {
  const char* circuit;
  const char* folder;
  std::size_t partitions;
  Made (*prove)(const std::string&, const Randomness&, const JobOptions&);
  bool derived = true;  ///< also from derived parameters, which porep_cuda_test.cpp does for PoRep
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.folder; }

class RecordedProofOnDevice : public testing::TestWithParam<Case> {
 protected:
  RecordedProofOnDevice() {
    options_.backend = BackendPolicy::kCuda;
    options_.tracer = listener_.tracer();
    options_.srs_file = belfry::test::vector_path("parameters/v28-fil-inner-product-v1.srs");
    for (std::size_t k = 0; k < GetParam().partitions; ++k) {
      randomness_.push_back(groth16::test::recorded_randomness(k));
    }
  }

  [[nodiscard]] Made prove(std::uint64_t budget) const {
    JobOptions options = options_;
    options.vram_budget_bytes = budget;
    return GetParam().prove(GetParam().folder, randomness_, options);
  }
  void expect_recorded(std::uint64_t budget) const {
    SCOPED_TRACE("budget of " + std::to_string(budget) + " bytes");
    const Made made = prove(budget);
    ASSERT_TRUE(made) << made.error().describe();
    EXPECT_EQ(made->backend, "cuda");
    EXPECT_EQ(made->partitions, GetParam().partitions);
    const std::string folder = GetParam().folder;
    const bool aggregated = !made->partition_proofs.empty();
    EXPECT_EQ(to_hex(aggregated ? made->partition_proofs : made->proof),
              to_hex(read_vector(folder + "/proof.bin")));
    if (aggregated) {
      EXPECT_EQ(to_hex(made->proof), to_hex(read_vector(folder + "/aggregate.bin")));
    }
  }
  /// What a refusal says that a proof needs: with it points come in tiles.
  [[nodiscard]] std::uint64_t least_budget() const {
    constexpr std::uint64_t kLittle = std::uint64_t{1} << 20;
    const Made refused = prove(kLittle);
    EXPECT_FALSE(refused);
    if (refused) return kLittle;
    EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted) << refused.error().describe();
    return std::stoull(refused.error().expected);
  }
  void expect_recorded_with_all_and_least() const {
    expect_recorded(0);
    const double streamed = listener_.counted(groth16::kStreamedProofs);
    const std::uint64_t least = least_budget();
    expect_recorded(least);
    EXPECT_EQ(listener_.counted(groth16::kStreamedProofs),
              streamed + static_cast<double>(GetParam().partitions));
  }

  test::TestParameters parameters_{GetParam().circuit};
  JobOptions options_ = parameters_.options();
  test::Listener listener_;
  Randomness randomness_;
};

TEST_P(RecordedProofOnDevice, EqualsTheReference) {
  const auto partitions = static_cast<double>(GetParam().partitions);
  expect_recorded_with_all_and_least();
  EXPECT_EQ(listener_.counted(groth16::kDerivedMissing), 2 * partitions);
  if (!GetParam().derived) return;
  const auto derived = derive_parameters(parameters_.circuit(), options_);
  ASSERT_TRUE(derived) << derived.error().describe();
  expect_recorded_with_all_and_least();
  EXPECT_EQ(listener_.counted(groth16::kDerivedMissing), 2 * partitions);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, RecordedProofOnDevice,
    testing::Values(Case{"winning-2KiB", "winning-2kib", 1, prove_recorded_winning},
                    Case{"window-2KiB", "window-2kib-1sector", 1, prove_recorded_window},
                    Case{"window-2KiB", "window-2kib-3sectors", 2, prove_recorded_window},
                    Case{"update-2KiB", "update-2kib", 1, prove_recorded_update},
                    Case{"porep-2KiB", "porep-2kib-v1_0", 1, prove_recorded_porep, false},
                    Case{"porep-2KiB", "porep-2kib-v1_2-synthetic", 1, prove_recorded_porep, false},
                    Case{"porep-2KiB", "porep-2kib-ni", 13, prove_recorded_porep, false}),
    [](const auto& info) {
      std::string name = info.param.folder;
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace belfry::engine
