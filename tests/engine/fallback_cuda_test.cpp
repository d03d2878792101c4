// Policy auto on a card that another process fills, or that fails while the proof is made: the CPU
// makes the recorded proof, and tells so. Policy cuda refuses.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "belfry/engine/jobs/post.h"
#include "engine/listener.h"
#include "engine/recorded_files.h"
#include "engine/recorded_sector.h"
#include "support/cuda_calls.h"
#include "support/vram_holder.h"

namespace belfry::engine {
namespace {

using belfry::test::CudaWatch;
using belfry::test::VramHolder;

constexpr const char* kFolder = "winning-2kib";

class AutoOnDevice : public testing::Test {
 protected:
  static void SetUpTestSuite() { parameters_ = new test::TestParameters("winning-2KiB"); }
  static void TearDownTestSuite() {
    delete parameters_;
    parameters_ = nullptr;
  }

  [[nodiscard]] Result<VerifiedProof> prove(BackendPolicy policy) {
    JobOptions options = parameters_->options();
    options.backend = policy;
    options.tracer = listener_.tracer();
    const test::RecordedFiles files(belfry::test::read_recorded_post(kFolder));
    return prove_winning(files.views().front(), test::recorded_request(kFolder),
                         {groth16::test::recorded_randomness(0)}, options);
  }
  /// The recorded proof; whether the CPU made it.
  static bool made_by_cpu(const Result<VerifiedProof>& made) {
    EXPECT_TRUE(made) << made.error().describe();
    if (!made) return false;
    EXPECT_EQ(to_hex(made->proof),
              to_hex(belfry::test::read_vector(std::string(kFolder) + "/proof.bin")));
    return made->backend == "cpu";
  }

  static inline test::TestParameters* parameters_ = nullptr;
  test::Listener listener_;
};

TEST_F(AutoOnDevice, ProvesOnACardThatCan) {
  EXPECT_FALSE(made_by_cpu(prove(BackendPolicy::kAuto)));
  EXPECT_EQ(listener_.counted(kBackendFallbacks), 0);
}

TEST_F(AutoOnDevice, GoesToTheCpuWhereAnotherProcessHoldsTheCard) {
  // Enough for a context, not for points.
  const VramHolder other(std::uint64_t{1800} << 20);
  EXPECT_TRUE(made_by_cpu(prove(BackendPolicy::kAuto)));
  EXPECT_EQ(listener_.counted(kBackendFallbacks), 1);
  const auto refused = prove(BackendPolicy::kCuda);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted) << refused.error().describe();
  EXPECT_EQ(listener_.counted(kBackendFallbacks), 1);
}

/// Calls from the first question about devices to the last release fail, evenly spread.
TEST_F(AutoOnDevice, GoesToTheCpuWhereverTheCardFails) {
  constexpr std::uint64_t kFailures = 8;
  CudaWatch watch;
  EXPECT_FALSE(made_by_cpu(prove(BackendPolicy::kAuto)));
  const std::uint64_t calls = watch.calls();
  ASSERT_GT(calls, kFailures);
  std::uint64_t fallbacks = 0;
  for (const cudaError_t code :
       {cudaErrorMemoryAllocation, cudaErrorIllegalAddress, cudaErrorLaunchOutOfResources}) {
    for (std::uint64_t k = 0; k < kFailures; ++k) {
      watch.fail_at(k * (calls - 1) / (kFailures - 1), code);
      const bool by_cpu = made_by_cpu(prove(BackendPolicy::kAuto));
      SCOPED_TRACE(watch.failed());
      fallbacks += by_cpu ? 1 : 0;
      EXPECT_EQ(listener_.counted(kBackendFallbacks), static_cast<double>(fallbacks));
    }
  }
  // Failures of what only gives back or asks go unheard; most are heard.
  EXPECT_GT(fallbacks, kFailures * 3 / 2);
}

}  // namespace
}  // namespace belfry::engine
